#include "core/cpu/network/plain_code.h"

#include <fmt/format.h>

#include "core/cpu/generate/flyte_text.h"
#include "core/cpu/network/plain_text.h"
#include "core/cpu/network/rows.h"

namespace convscope::cpu {
namespace {

using fmt::format;
using namespace plain_text;

class Writer {
 public:
  Writer(const Step& step, const PlainCode& code) : step_(step), code_(code) {
    std::size_t input = code.inputs.size();
    for (const ElementOperation& operation : step.after) {
      const bool taken = !operation.values.empty();
      if (taken) constants_ += format("  const float* k{0} = (const float*)in[{0}];\n", input);
      after_ += " " + operation_text(operation, input);
      if (taken) ++input;
    }
  }

  std::string after() const {
    if (const auto rows = in_rows() ? row_body_after(step_, code_) : std::nullopt) return finish(*rows, 1);
    const std::string at = place(code_.layout, code_.output);
    return finish(loops(code_.layout.order, code_.output,
                        format("  {{ const long at = {}; float v = a0[at];{} out[at] = v; }}\n", at, after_)),
                  1);
  }

  std::string run() const {
    if (const auto rows = in_rows() ? row_body(step_, code_) : std::nullopt) return finish(*rows, code_.inputs.size());
    switch (step_.kind) {
      case StepKind::add:
        return together('+');
      case StepKind::subtract:
        return together('-');
      case StepKind::multiply:
        return together('*');
      case StepKind::divide:
        return together('/');
      case StepKind::max_pool:
      case StepKind::average_pool:
        return sums_in_output() ? pool_of_vectors() : pool();
      case StepKind::concat:
        return concat();
      case StepKind::softmax:
        return softmax();
      case StepKind::lrn:
        return normalization();
      case StepKind::reshape:
        return reshape();
      case StepKind::movement:
        return movement();
      default:
        return after();
    }
  }

 private:
  bool in_rows() const { return code_.rows && !code_.layout.storage.complete(); }

  std::string finish(const std::string& body, std::size_t inputs) const {
    std::string pointers;
    for (std::size_t i = 0; i < inputs; ++i) pointers += format("  const Stored* a{0} = (const Stored*)in[{0}];\n", i);
    return function(code_.name, pointers + constants_ + body);
  }

  std::string input_at(std::size_t input) const { return place(code_.layout, code_.inputs[input]); }

  std::string together(char sign) const {
    std::string sum;
    for (std::size_t i = 0; i < code_.inputs.size(); ++i)
      sum += format("{}a{}[{}]", i == 0 ? std::string() : format(" {} ", sign), i, input_at(i));
    return finish(
        loops(code_.layout.order, code_.output,
              format("  {{ float v = {};{} out[{}] = v; }}\n", sum, after_, place(code_.layout, code_.output))),
        code_.inputs.size());
  }

  /// What is stored as less than a float would be rounded by each addition.
  bool sums_in_output() const { return code_.layout.order.back() == 'C' && code_.layout.storage.complete(); }

  bool average() const { return step_.kind == StepKind::average_pool; }
  std::string counting() const { return average() && !step_.window.count_padding ? "count += 1; " : ""; }

  /// An element of the input at `row` and `column`.
  std::string seen() const {
    const Extents& in = code_.inputs.front();
    return format("a0[row * {}L + column * {}L + c * {}L]", stride(code_.layout, in, 'H'),
                  stride(code_.layout, in, 'W'), stride(code_.layout, in, 'C'));
  }

  std::string pool() const {
    const std::string take =
        average() ? format("v += {};", seen()) : format("const float s = {}; v = s > v ? s : v;", seen());
    return finish(loops(code_.layout.order, code_.output,
                        format("  {{\n    float v = {}; float count = 0;\n", average() ? "0" : "-__builtin_inff()") +
                            taps(step_.window, code_.inputs.front(), format("        {}{}\n", counting(), take)) +
                            format("    {}{} out[{}] = v;\n  }}\n", average() ? "v /= count;" : "(void)count;", after_,
                                   place(code_.layout, code_.output))),
                  1);
  }

  /// Channels in the innermost loop, sums in the output itself.
  std::string pool_of_vectors() const {
    const int channels = code_.output.at('C');
    const std::string each = format("for (long c = 0; c < {}; ++c) ", channels);
    std::string order = code_.layout.order;
    order.pop_back();
    Extents pixel = code_.output;
    const std::string first = format("({})", without_channel());
    const std::string take = average() ? format("to[c] += {};", seen())
                                       : format("{{ const float s = {}; to[c] = s > to[c] ? s : to[c]; }}", seen());
    return finish(
        loops(order, pixel,
              format("  {{\n    float* to = out + {};\n    float count = 0;\n    {}to[c] = {};\n", first, each,
                     average() ? "0" : "-__builtin_inff()") +
                  taps(step_.window, code_.inputs.front(), format("        {}{}{}\n", counting(), each, take)) +
                  format("    {}{{ float v = to[c]{};{} to[c] = v; }}\n    (void)count;\n  }}\n", each,
                         average() ? " / count" : "", after_)),
        1);
  }

  std::string without_channel() const {
    const Layout& l = code_.layout;
    return format("h * {}L + w * {}L", stride(l, code_.output, 'H'), stride(l, code_.output, 'W'));
  }

  std::string concat() const {
    std::string body;
    int channels = 0;
    for (std::size_t i = 0; i < code_.inputs.size(); ++i) {
      body +=
          loops(code_.layout.order, code_.inputs[i],
                format("  {{ float v = a{}[{}]; out[{} + {}L] = v; }}\n", i, input_at(i),
                       place_as(code_.inputs[i], code_.output), channels * stride(code_.layout, code_.output, 'C')));
      channels += code_.inputs[i].at('C');
    }
    if (!after_.empty())
      body += loops(code_.layout.order, code_.output,
                    format("  {{ const long at = {}; float v = out[at];{} out[at] = v; }}\n",
                           place(code_.layout, code_.output), after_));
    return finish(body, code_.inputs.size());
  }

  /// Where an element of a part stands in the whole.
  std::string place_as(const Extents& part, const Extents& whole) const {
    std::string sum = "0L";
    for (const char dimension : code_.layout.order)
      if (part.at(dimension) > 1)
        sum += format(" + {} * {}L", lower(dimension), stride(code_.layout, whole, dimension));
    return sum;
  }

  /// Loops around the dimension it goes along, three of them within.
  std::string softmax() const {
    std::string around = "HWC";
    around.erase(around.find(step_.along), 1);
    const std::string at = place(code_.layout, code_.output);
    const std::string each =
        format("for (long {0} = 0; {0} < {1}; ++{0})", lower(step_.along), code_.output.at(step_.along));
    const std::string last = step_.logarithm ? format("a0[{}] - most - sum", at) : format("out[{}] / sum", at);
    return finish(loops(around, code_.output,
                        format("  {{\n    float most = -__builtin_inff(), sum = 0;\n"
                               "    {0} most = a0[{1}] > most ? a0[{1}] : most;\n"
                               "    {0} sum += out[{1}] = __builtin_expf(a0[{1}] - most);\n{2}",
                               each, at, step_.logarithm ? "    sum = __builtin_logf(sum);\n" : "") +
                            format("    {0} {{ float v = {3};{2} out[{1}] = v; }}\n  }}\n", each, at, after_, last)),
                  1);
  }

  /// Stored numbers are copied as they are.
  std::string movement() const {
    std::string body;
    if (step_.moves.elsewhere)
      body += format("  for (long i = 0; i < {}; ++i) out[i] = {};\n", elements(code_.layout, code_.output),
                     number(*step_.moves.elsewhere));
    for (const Movement& piece : step_.moves.pieces) body += piece_text(piece);
    return finish(body, code_.inputs.size());
  }

  static std::string piece_text(const Movement& piece) {
    std::string text, from = format("{}L", piece.from), to = format("{}L", piece.to);
    const bool rows = !piece.axes.empty() && piece.axes.back().from == 1 && piece.axes.back().to == 1;
    for (std::size_t i = 0; i + (rows ? 1 : 0) < piece.axes.size(); ++i) {
      const Movement::Axis& axis = piece.axes[i];
      text += format("  for (long i{0} = 0; i{0} < {1}; ++i{0})\n", i, axis.count);
      from += format(" + i{} * {}L", i, axis.from);
      to += format(" + i{} * {}L", i, axis.to);
    }
    if (rows)
      return text + format("    __builtin_memcpy(out + {}, a{} + {}, {} * sizeof(Stored));\n", to, piece.input, from,
                           piece.axes.back().count);
    return text + format("    out[{}] = a{}[{}];\n", to, piece.input, from);
  }

  std::string normalization() const {
    const LocalNormalization& n = step_.normalization;
    const int channels = code_.output.at('C');
    const long step = static_cast<long>(stride(code_.layout, code_.output, 'C'));
    const std::string power = n.beta == 0.75F
                                  ? std::string("1 / (__builtin_sqrtf(base) * __builtin_sqrtf(__builtin_sqrtf(base)))")
                                  : format("__builtin_powf(base, {})", number(-n.beta));
    const std::string at = place(code_.layout, code_.output);
    return finish(loops(code_.layout.order, code_.output,
                        format("  {{\n    const long at = {0};\n    const long from = c - {1} > 0 ? c - {1} : 0, to = "
                               "c + {2} < {3} ? c + {2} : {3} - 1;\n"
                               "    float squares = 0;\n"
                               "    for (long i = from; i <= to; ++i) {{ const float s = a0[at + (i - c) * {4}L]; "
                               "squares += s * s; }}\n",
                               at, (n.size - 1) / 2, n.size / 2, channels, step) +
                            format("    const float base = {} + {} * squares;\n", number(n.bias),
                                   number(n.alpha / static_cast<float>(n.size))) +
                            format("    float v = a0[at] * ({});{} out[at] = v;\n  }}\n", power, after_)),
                  1);
  }

  std::string reshape() const {
    std::int64_t all = 1;
    for (const auto& [dimension, extent] : code_.output.of) all *= extent;
    return finish(format("  __builtin_memcpy(out, a0, {} * sizeof(Stored));\n", all), 1);
  }

  const Step& step_;
  const PlainCode& code_;
  std::string constants_, after_;
};

}  // namespace

std::string stored_type(const flyte::Storage& storage, Family family) {
  if (storage.complete()) return "typedef float Stored;\n";
  const bool half = storage.bytes == 2;
  const std::string bytes = half ? "(const unsigned char*)&bits" : "bits", to = half ? "(unsigned char*)&bits" : "bits";
  const std::string store = format("{}({}, value);", flyte_store_name(storage, 1), to);
  return flyte_load_function(storage, Family::scalar, 1) + flyte_store_functions(storage, Family::scalar, 1) +
         format(
             "struct Stored {{\n  {};\n  operator float() const {{ return {}({}); }}\n"
             "  Stored& operator=(float value) {{ {} return *this; }}\n}};\n",
             half ? "unsigned short bits" : format("unsigned char bits[{}]", storage.bytes),
             flyte_load_name(storage, 1), bytes, store) +
         row_functions(storage, family);
}

std::string step_code(const Step& step, const PlainCode& code) {
  return Writer(step, code).run();
}

std::string after_code(const Step& step, const PlainCode& code) {
  return Writer(step, code).after();
}

std::string conversion_code(const Layout& from, const PlainCode& code) {
  return function(
      code.name, "  const Stored* a0 = (const Stored*)in[0];\n" +
                     loops(code.layout.order, code.output,
                           format("  out[{}] = a0[{}];\n", place(code.layout, code.output), place(from, code.output))));
}

bool same_places(const Layout& a, const Layout& b, const Extents& extents) {
  if (a == b) return true;
  if (a.blocked != 0 || b.blocked != 0) return false;
  for (const auto& [dimension, extent] : extents.of)
    if (extent > 1 && stride(a, extents, dimension) != stride(b, extents, dimension)) return false;
  return true;
}

}  // namespace convscope::cpu
