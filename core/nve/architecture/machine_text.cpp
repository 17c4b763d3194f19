#include "core/nve/architecture/machine_text.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

constexpr double mega = 1e6;

/// The number of mega-units that, multiplied again, gives exactly `value`.
double in_mega(double value) {
  const double quotient = value / mega;
  const double infinity = std::numeric_limits<double>::infinity();
  for (double candidate : {quotient, std::nextafter(quotient, 0.0), std::nextafter(quotient, infinity)})
    if (candidate * mega == value) return candidate;
  return quotient;
}

}  // namespace

arch::ParameterValues parameter_values(const Machine& machine) {
  arch::ParameterValues values(machine_description());
  auto put = [&values](const char* name, double value) { values.set_at(*values.description().find(name), value); };
  put("lanes", machine.lanes);
  put("port_width", machine.port_bits);
  put("local_buffer", machine.local_buffer_words);
  put("instruction_buffer", machine.instruction_buffer_words);
  put("weight_registers", machine.weight_registers);
  put("image_extension", machine.image_extension);
  put("memory", static_cast<int>(machine.memory));
  put("write_to_read", machine.write_to_read);
  put("read_to_set", machine.read_to_set);
  put("set_to_use", machine.set_to_use);
  put("output_latency", machine.output_latency);
  put("clock", in_mega(machine.clock_hz));
  put("cores", machine.cores);
  put("transfer_mode", 2 - static_cast<int>(machine.transfer_mode));  // choices run from ideal to costly
  put("bandwidth", in_mega(machine.bandwidth));
  put("descriptor_cost", machine.descriptor_cycles);
  put("host_copy_bandwidth", in_mega(machine.host_copy_bandwidth));
  return values;
}

std::string exact_text(const arch::ParameterValues& values, std::size_t index) {
  const auto& parameter = values.description().parameters[index];
  if (parameter.kind == arch::ParameterKind::choice)
    return parameter.choices[static_cast<std::size_t>(values.at(index))];
  if (parameter.kind == arch::ParameterKind::integer)
    return fmt::format("{}", static_cast<std::int64_t>(values.at(index)));
  return fmt::format("{}", values.at(index));
}

}  // namespace convscope::nve
