#include "core/session/session.h"

#include <utility>

namespace convscope::session {

bool NetworkReference::operator==(const NetworkReference& other) const {
  if (path != other.path || hash != other.hash || sizes.has_value() != other.sizes.has_value()) return false;
  return !sizes || (sizes->batch == other.sizes->batch && sizes->image == other.sizes->image &&
                    sizes->symbols == other.sizes->symbols);
}

std::vector<Assignment> assignments_of(const arch::ParameterValues& values) {
  std::vector<Assignment> result;
  const auto& parameters = values.description().parameters;
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    result.push_back({parameters[index].name, values.text(index), 0});
  }
  return result;
}

arch::ParameterValues machine_values(const Machine& machine, arch::ParameterValues start, const std::string& file,
                                     Diagnostics& diagnostics) {
  for (const Assignment& each : machine.parameters) {
    Diagnostics refused;
    const Location where{file, each.line, "parameter '" + each.name + "'"};
    if (start.set(each.name, each.value, refused, where)) continue;
    for (const Diagnostic& reason : refused.items()) {
      diagnostics.warning(reason.where, reason.what + "; it keeps the preset's value", reason.expected, reason.hint);
    }
  }
  return start;
}

}  // namespace convscope::session
