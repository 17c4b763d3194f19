#include "core/cpu/network/rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/cpu/generate/flyte_text.h"
#include "core/cpu/network/plain_text.h"

namespace convscope::cpu {
namespace {

constexpr int piece = 512;           ///< floats at a time: they stay in the first cache
constexpr int most_channels = 4096;  ///< of a pixel that is a piece of its own

class RowWriter {
 public:
  RowWriter(const Step& step, const PlainCode& code) : step_(step), code_(code) {
    std::size_t input = code.inputs.size();
    for (const ElementOperation& operation : step.after) {
      after_ += " " + plain_text::operation_text(operation, input);
      by_channel_ = by_channel_ || operation.values.size() > 1;
      if (!operation.values.empty()) ++input;
    }
  }

  std::optional<std::string> run() const {
    switch (step_.kind) {
      case StepKind::add:
        return together(" + ");
      case StepKind::subtract:
        return together(" - ");
      case StepKind::multiply:
        return together(" * ");
      case StepKind::divide:
        return together(" / ");
      case StepKind::max_pool:
      case StepKind::average_pool:
        return pool();
      case StepKind::concat:
        return concat();
      case StepKind::elements:
        return after();
      default:
        return std::nullopt;
    }
  }

  std::optional<std::string> after() const { return elementwise({"a0"}, "r0[i]", by_channel_); }

 private:
  int channels() const { return code_.output.at('C'); }
  std::int64_t all() const { return elements(code_.layout, code_.output); }

  /// Dimensions of more than one element.
  std::string order() const {
    std::string real;
    for (const char dimension : code_.layout.order)
      if (code_.output.at(dimension) > 1) real.push_back(dimension);
    return real;
  }

  std::optional<std::string> together(const char* sign) const {
    std::string before, value;
    std::vector<std::string> rows;
    bool by_channel = by_channel_;
    for (std::size_t i = 0; i < code_.inputs.size(); ++i) {
      const Extents& in = code_.inputs[i];
      value += i > 0 ? sign : "";
      if (in.of == code_.output.of) {
        value += fmt::format("r{}[i]", rows.size());
        rows.push_back(fmt::format("a{}", i));
        continue;
      }
      if (in.at('H') != 1 || in.at('W') != 1 || in.at('C') > most_channels) return std::nullopt;
      before += fmt::format("  float b{0}[{1}];\n  expand(b{0}, a{0}, {1});\n", i, in.at('C'));
      value += fmt::format("b{}[{}]", i, in.at('C') == 1 ? "0" : "c");
      by_channel = by_channel || in.at('C') > 1;
    }
    const auto body = elementwise(rows, value, by_channel);
    return body ? std::optional(before + *body) : std::nullopt;
  }

  /// `value` of an element is computed from r0, r1 ...: pieces of `rows`, each as large as the output.
  std::optional<std::string> elementwise(const std::vector<std::string>& rows, const std::string& value,
                                         bool by_channel) const {
    const std::string real = order();
    if (rows.empty()) return std::nullopt;
    if (!by_channel) return pieces(rows, value, all());
    if (channels() == 1) return "  const long c = 0;\n" + pieces(rows, value, all());
    if (real.front() == 'C')
      return fmt::format("  for (long c = 0; c < {}; ++c)\n", channels()) + pieces(rows, value, all() / channels());
    return real.back() == 'C' && channels() <= most_channels ? std::optional(pixels(rows, value)) : std::nullopt;
  }

  /// `count` elements, of channel c if there are more.
  std::string pieces(const std::vector<std::string>& rows, const std::string& value, std::int64_t count) const {
    const std::string from = count < all() ? fmt::format("c * {}L + s", count) : "s";
    std::string text = fmt::format(
        "  for (long s = 0; s < {0}; s += {1}) {{\n    const long m = {0} - s < {1} ? {0} - s : {1};\n", count, piece);
    text += expanded(rows, piece, from, "m");
    return text + fmt::format(
                      "    for (long i = 0; i < m; ++i) {{ float v = {};{} r0[i] = v; }}\n"
                      "    narrow(out + {}, r0, m);\n  }}\n",
                      value, after_, from);
  }

  /// As many pixels as make a piece.
  std::string pixels(const std::vector<std::string>& rows, const std::string& value) const {
    const std::int64_t count = all() / channels(), some = std::max(1, piece / channels());
    std::string text = fmt::format(
        "  for (long s = 0; s < {0}; s += {1}) {{\n    const long m = {0} - s < {1} ? {0} - s : {1};\n", count, some);
    const std::string from = fmt::format("s * {}L", channels()), length = fmt::format("m * {}L", channels());
    text += expanded(rows, some * channels(), from, length);
    return text + fmt::format(
                      "    for (long p = 0; p < m; ++p)\n      for (long c = 0; c < {0}; ++c) {{\n"
                      "        const long i = p * {0}L + c; float v = {1};{2} r0[i] = v;\n      }}\n"
                      "    narrow(out + {3}, r0, {4});\n  }}\n",
                      channels(), value, after_, from, length);
  }

  static std::string expanded(const std::vector<std::string>& rows, std::int64_t most, const std::string& from,
                              const std::string& count) {
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i)
      text += fmt::format("    float r{0}[{1}]; expand(r{0}, {2} + {3}, {4});\n", i, most, rows[i], from, count);
    return text;
  }

  /// All channels of a pixel together, as they are one after the other.
  std::optional<std::string> pool() const {
    const Extents& in = code_.inputs.front();
    if (stride(code_.layout, in, 'C') != 1 || stride(code_.layout, code_.output, 'C') != 1 ||
        channels() > most_channels)
      return std::nullopt;
    const bool average = step_.kind == StepKind::average_pool;
    const std::string each = fmt::format("for (long c = 0; c < {}; ++c) ", channels());
    const std::string take =
        fmt::format("        {}expand(tap, a0 + (row * {}L + column * {}L), {});\n        {}{}\n",
                    average && !step_.window.count_padding ? "count += 1; " : "", stride(code_.layout, in, 'H'),
                    stride(code_.layout, in, 'W'), channels(), each,
                    average ? "sums[c] += tap[c];" : "sums[c] = tap[c] > sums[c] ? tap[c] : sums[c];");
    std::string text = fmt::format("  {{\n    float sums[{0}], tap[{0}], count = 0;\n    {1}sums[c] = {2};\n",
                                   channels(), each, average ? "0" : "-__builtin_inff()");
    text += plain_text::taps(step_.window, in, take);
    text += fmt::format("    (void)count;\n    {}{{ float v = sums[c]{};{} sums[c] = v; }}\n", each,
                        average ? " / count" : "", after_);
    text += fmt::format("    narrow(out + (h * {}L + w * {}L), sums, {});\n  }}\n",
                        stride(code_.layout, code_.output, 'H'), stride(code_.layout, code_.output, 'W'), channels());
    return plain_text::loops("HW", code_.output, text);
  }

  /// Numbers as they are stored; what is computed with them comes afterwards.
  std::optional<std::string> concat() const {
    const std::string real = order();
    const bool first = real.empty() || real.front() == 'C', last = !real.empty() && real.back() == 'C';
    if (!first && !last) return std::nullopt;
    std::string text;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < code_.inputs.size(); ++i) {
      const std::int64_t at = before * stride(code_.layout, code_.output, 'C');
      text += first ? fmt::format("  __builtin_memcpy(out + {}, a{}, {} * sizeof(Stored));\n", at, i,
                                  elements(code_.layout, code_.inputs[i]))
                    : parts_of_pixels(i, at);
      before += code_.inputs[i].at('C');
    }
    if (after_.empty()) return text;
    const auto behind = elementwise({"out"}, "r0[i]", by_channel_);
    return behind ? std::optional(text + *behind) : std::nullopt;
  }

  std::string parts_of_pixels(std::size_t input, std::int64_t at) const {
    const int part = code_.inputs[input].at('C');
    return fmt::format(
        "  for (long p = 0; p < {}; ++p) __builtin_memcpy(out + p * {}L + {}, a{} + p * {}L, {} * sizeof(Stored));\n",
        all() / channels(), channels(), at, input, part, part);
  }

  const Step& step_;
  const PlainCode& code_;
  std::string after_;
  bool by_channel_ = false;
};

std::string vector_loop(const flyte::Storage& storage, int lanes, bool load) {
  const std::string at = fmt::format("i * {}", storage.bytes);
  const std::string each = load ? fmt::format("const v{0} one = {1}(bytes + {2}); __builtin_memcpy(to + i, &one, {3});",
                                              lanes, flyte_load_name(storage, lanes), at, 4 * lanes)
                                : fmt::format("v{0} one; __builtin_memcpy(&one, from + i, {3}); {1}(bytes + {2}, one);",
                                              lanes, flyte_store_name(storage, lanes), at, 4 * lanes);
  return fmt::format("  for (; i + {0} <= count; i += {0}) {{ {1} }}\n", lanes, each);
}

}  // namespace

std::string row_functions(const flyte::Storage& storage, Family family) {
  const int lanes = traits(family).lanes;
  const bool vectors = lanes > 1;
  std::string text;
  if (vectors)
    text += fmt::format("typedef float v{} __attribute__((vector_size({})));\n", lanes, 4 * lanes) +
            flyte_load_function(storage, family, lanes) + flyte_store_functions(storage, family, lanes);
  text += "static inline void expand(float* to, const Stored* from, long count) {\n  long i = 0;\n";
  if (vectors)
    text += "  const unsigned char* bytes = (const unsigned char*)from;\n" + vector_loop(storage, lanes, true);
  text += "  for (; i < count; ++i) to[i] = from[i];\n}\n";
  text += "static inline void narrow(Stored* to, const float* from, long count) {\n  long i = 0;\n";
  if (vectors) text += "  unsigned char* bytes = (unsigned char*)to;\n" + vector_loop(storage, lanes, false);
  return text + "  for (; i < count; ++i) to[i] = from[i];\n}\n";
}

std::optional<std::string> row_body(const Step& step, const PlainCode& code) {
  return RowWriter(step, code).run();
}

std::optional<std::string> row_body_after(const Step& step, const PlainCode& code) {
  return RowWriter(step, code).after();
}

}  // namespace convscope::cpu
