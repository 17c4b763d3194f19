#include "core/target/examine.h"

#include <fmt/format.h>

namespace convscope::target {

void refuse_machine(const arch::ParameterValues& own, const arch::ParameterValues& wanted, const Location& where,
                    Diagnostics& diagnostics) {
  const auto& parameters = own.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (own.at(i) == wanted.at(i)) continue;
    return diagnostics.error(where, fmt::format("is made for a machine with {} {}", parameters[i].name, own.text(i)),
                             wanted.text(i));
  }
  diagnostics.error(where, "is made for another machine", "the machine of the lab");
}

}  // namespace convscope::target
