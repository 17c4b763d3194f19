#include "core/arch/machine_table.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace convscope::arch {

ParameterDescription described(const ParameterText& text, ParameterKind kind, ParameterRange range) {
  ParameterDescription description;
  description.name = text.name;
  description.label = text.label;
  description.unit = text.unit;
  description.help = text.help;
  description.kind = kind;
  description.minimum = range.minimum;
  description.maximum = range.maximum;
  description.step = range.step;
  return description;
}

double unscaled(double scaled, double scale) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double quotient = scaled / scale;
  double best = quotient;
  std::size_t shortest = std::numeric_limits<std::size_t>::max();
  for (const double candidate : {quotient, std::nextafter(quotient, -infinity), std::nextafter(quotient, infinity)}) {
    const std::size_t length = fmt::formatted_size("{}", candidate);
    if (candidate * scale == scaled && length < shortest) best = candidate, shortest = length;
  }
  return best;
}

}  // namespace convscope::arch
