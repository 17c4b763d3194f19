#include "core/arch/write_program_json.h"

namespace convscope::arch {

WrittenJson machine_json(const ParameterValues& values) {
  WrittenJson json = WrittenJson::object();
  const auto& parameters = values.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == ParameterKind::choice)
      json[parameters[i].name] = values.text(i);
    else if (parameters[i].kind == ParameterKind::integer)
      json[parameters[i].name] = static_cast<std::int64_t>(values.at(i));
    else
      json[parameters[i].name] = values.at(i);
  }
  return json;
}

}  // namespace convscope::arch
