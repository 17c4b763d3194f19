#include "core/arch/read_program_json.h"

namespace convscope::arch {
namespace {

std::string spelling(const ReadJson& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

}  // namespace

std::optional<ParameterValues> read_machine(const ReadJson& json, std::shared_ptr<const MachineDescription> description,
                                            Refusals& refusals) {
  ParameterValues values(std::move(description));
  Diagnostics found;
  for (const auto& parameter : values.description().parameters) {
    const auto value = json.find(parameter.name);
    if (value == json.end())
      refusals.add("machine", fmt::format("no member '{}'", parameter.name), "all parameters");
    else if (!value->is_string() && !value->is_number())
      refusals.add("machine " + parameter.name, value->type_name(), "a number or the name of a choice");
    else
      values.set(parameter.name, spelling(*value), found, {refusals.file(), 0, "machine " + parameter.name});
  }
  for (const auto& [key, value] : json.items())
    if (!values.description().find(key))
      refusals.add("machine", "unknown member " + convscope::quoted(key), "parameters only");
  if (!refusals.any() && !found.has_errors()) values.check(found);
  for (const Diagnostic& diagnostic : found.items())
    refusals.add(diagnostic.where.element, diagnostic.what, diagnostic.expected);
  if (refusals.any()) return std::nullopt;
  return values;
}

}  // namespace convscope::arch
