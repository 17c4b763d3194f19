#include "core/cpu/network/plain_text.h"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace convscope::cpu::plain_text {

using fmt::format;
using Kind = ElementOperation::Kind;

namespace {

std::string value_of(const ElementOperation& operation, std::size_t input) {
  return format("k{}[{}]", input, operation.values.size() == 1 ? "0" : "c");
}

}  // namespace

char lower(char dimension) {
  return static_cast<char>(std::tolower(dimension));
}

std::string place(const Layout& layout, const Extents& extents) {
  std::string sum;
  for (const char dimension : layout.order)
    if (extents.at(dimension) > 1)
      sum += format("{}{} * {}L", sum.empty() ? "" : " + ", lower(dimension), stride(layout, extents, dimension));
  return sum.empty() ? "0" : sum;
}

std::string loops(const std::string& order, const Extents& extents, const std::string& body) {
  std::string text;
  for (const char dimension : order)
    text += format("  for (long {0} = 0; {0} < {1}; ++{0})\n", lower(dimension), extents.at(dimension));
  return text + body;
}

std::string function(const std::string& name, const std::string& body) {
  return format("extern \"C\" void {}(const void* const* in, void* to) {{\n  Stored* out = (Stored*)to;\n{}}}\n\n",
                name, body);
}

std::string number(float value) {
  if (std::isnan(value)) return "__builtin_nanf(\"\")";
  if (std::isinf(value)) return value < 0 ? "-__builtin_inff()" : "__builtin_inff()";
  return format("{:a}f", value);
}

std::string operation_text(const ElementOperation& o, std::size_t input) {
  switch (o.kind) {
    case Kind::add:
      return format("v = v + {};", value_of(o, input));
    case Kind::multiply:
      return format("v = v * {};", value_of(o, input));
    case Kind::relu:
      return "v = v > 0 ? v : 0;";
    case Kind::clip:
      return format("v = v > {0} ? v : {0}; v = v < {1} ? v : {1};", number(o.low), number(o.high));
    case Kind::leaky_relu:
      return format("v = v > 0 ? v : {} * v;", number(o.low));
    case Kind::sigmoid:
      return "v = 1 / (1 + __builtin_expf(-v));";
    case Kind::tanh:
      return "v = __builtin_tanhf(v);";
    case Kind::hard_sigmoid:
      return format("v = {} * v + {}; v = v > 0 ? v : 0; v = v < 1 ? v : 1;", number(o.low), number(o.high));
    case Kind::exp:
      return "v = __builtin_expf(v);";
    case Kind::hard_swish:
      break;
  }
  return "{ float s = v * (1.0f / 6) + .5f; s = s > 0 ? s : 0; s = s < 1 ? s : 1; v = v * s; }";
}

std::string taps(const PoolWindow& p, const Extents& in, const std::string& body) {
  return format(
      "    for (long y = 0; y < {}; ++y) {{\n      const long row = h * {} + y * {} - {};\n"
      "      if (row >= {}) break;\n"
      "      for (long x = 0; x < {}; ++x) {{\n        const long column = w * {} + x * {} - {};\n"
      "        if (column >= {}) break;\n        {}if (row < 0 || column < 0 || row >= {} || column >= {}) "
      "continue;\n"
      "{}      }}\n    }}\n",
      p.kernel_height, p.stride_height, p.dilation_height, p.pad_top, in.at('H') + p.pad_bottom, p.kernel_width,
      p.stride_width, p.dilation_width, p.pad_left, in.at('W') + p.pad_right, p.count_padding ? "count += 1; " : "",
      in.at('H'), in.at('W'), body);
}

}  // namespace convscope::cpu::plain_text
