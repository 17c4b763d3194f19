#include <array>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {
namespace {

constexpr int most_extent = 65536;
constexpr std::int64_t most_elements = std::int64_t{1} << 28;
constexpr int most_threads = 256;
constexpr const char* expected =
    "such as \"56x56x64 -> 64, 3x3\", then if needed \"stride 2\", \"dilation 2\", \"groups 32\", \"pad 0 0 1 1\", "
    "\"threads 2\", \"weights flyte-16\", separated by commas";

/// Padding that keeps the size at stride 1; with an even kernel the odd element comes last.
struct Padding {
  int before, after;
};
Padding same(int kernel, int dilation) {
  const int both = (kernel - 1) * dilation;
  return {both / 2, both - both / 2};
}

void pad_same(Problem& p) {
  const Padding rows = same(p.kernel_height, p.dilation_height), columns = same(p.kernel_width, p.dilation_width);
  p.pad_top = rows.before, p.pad_bottom = rows.after, p.pad_left = columns.before, p.pad_right = columns.after;
}

bool padded_same(const Problem& p) {
  Problem other = p;
  pad_same(other);
  return other == p;
}

std::string one_or_two(int rows, int columns) {
  return rows == columns ? fmt::format("{}", rows) : fmt::format("{}x{}", rows, columns);
}

/// Integers between separators, all within `least` and what fits an extent.
template <std::size_t count>
bool read(std::string_view text, std::string_view separators, int least, std::array<int, count>& values) {
  const std::vector<std::string> parts = words(text, separators);
  if (parts.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = parse_integer<int>(parts[i]);
    if (!value || *value < least || *value > most_extent) return false;
    values[i] = *value;
  }
  return true;
}

bool read_one_or_two(std::string_view text, int& rows, int& columns) {
  std::array<int, 2> two{};
  std::array<int, 1> one{};
  if (read(text, "x", 1, two)) return rows = two[0], columns = two[1], true;
  if (read(text, "x", 1, one)) return rows = columns = one[0], true;
  return false;
}

bool read_one(std::string_view text, int& value) {
  std::array<int, 1> one{};
  if (!read(text, "x", 1, one)) return false;
  value = one[0];
  return true;
}

bool read_sizes(std::string_view text, Problem& p) {
  const std::size_t arrow = text.find("->");
  std::array<int, 3> image{};
  if (arrow == std::string_view::npos || !read(trimmed(text.substr(0, arrow)), "x", 1, image)) return false;
  p.height = image[0], p.width = image[1], p.channels = image[2];
  return read_one(trimmed(text.substr(arrow + 2)), p.kernels);
}

bool read_storage(std::string_view text, flyte::Storage& storage) {
  const auto parsed = flyte::parse_storage(text);
  if (!parsed || parsed->whole != storage.whole) return false;
  storage = *parsed;
  return true;
}

bool read_pads(std::string_view text, Problem& p) {
  std::array<int, 4> pads{};
  if (!read(text, " ", 0, pads)) return false;
  p.pad_top = pads[0], p.pad_left = pads[1], p.pad_bottom = pads[2], p.pad_right = pads[3];
  return true;
}

/// "stride 2" and its like, the word before the first blank telling which.
bool read_extra(std::string_view text, Problem& p, std::string& pads) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return false;
  const std::string_view word = text.substr(0, blank), value = trimmed(text.substr(blank));
  if (word == "stride") return read_one_or_two(value, p.stride_height, p.stride_width);
  if (word == "dilation") return read_one_or_two(value, p.dilation_height, p.dilation_width);
  if (word == "groups") return read_one(value, p.groups);
  if (word == "threads") return read_one(value, p.threads);
  if (word == "image") return read_storage(value, p.stored.image);
  if (word == "weights") return read_storage(value, p.stored.weights);
  if (word == "output") return read_storage(value, p.stored.output);
  if (word != "pad") return false;
  pads = value;
  return !pads.empty();
}

std::string extent_fault(const Problem& p) {
  for (const int extent : {p.height, p.width, p.channels, p.kernels, p.kernel_height, p.kernel_width, p.stride_height,
                           p.stride_width, p.dilation_height, p.dilation_width, p.groups})
    if (extent < 1 || extent > most_extent) return fmt::format("{} isn't between 1 and {}", extent, most_extent);
  if (p.threads < 1 || p.threads > most_threads) return fmt::format("threads aren't 1 to {}", most_threads);
  if (p.channels % p.groups != 0 || p.kernels % p.groups != 0)
    return fmt::format("{} groups don't divide {} channels and {} kernels", p.groups, p.channels, p.kernels);
  return {};
}

std::string padding_fault(const Problem& p) {
  const std::int64_t rows = (p.kernel_height - std::int64_t{1}) * p.dilation_height + 1;
  const std::int64_t columns = (p.kernel_width - std::int64_t{1}) * p.dilation_width + 1;
  for (const int pad : {p.pad_top, p.pad_left, p.pad_bottom, p.pad_right})
    if (pad < 0 || pad > most_extent) return fmt::format("a padding of {} isn't between 0 and {}", pad, most_extent);
  if (rows > most_extent || columns > most_extent) return "the dilated kernel is larger than any image may be";
  return {};
}

bool read_all(std::string_view text, Problem& p) {
  const std::vector<std::string> parts = words(text, ",");
  if (parts.size() < 2 || !read_sizes(parts[0], p)) return false;
  if (!read_one_or_two(trimmed(parts[1]), p.kernel_height, p.kernel_width)) return false;
  std::string pads;
  for (std::size_t i = 2; i < parts.size(); ++i)
    if (!read_extra(trimmed(parts[i]), p, pads)) return false;
  if (!extent_fault(p).empty() || !padding_fault(p).empty()) return true;
  pad_same(p);
  return pads.empty() || read_pads(pads, p);
}

std::string size_fault(const Problem& p) {
  if (p.height + p.pad_top + p.pad_bottom < (p.kernel_height - 1) * p.dilation_height + 1 ||
      p.width + p.pad_left + p.pad_right < (p.kernel_width - 1) * p.dilation_width + 1)
    return "the kernel is larger than the padded image";
  const auto count = [](std::int64_t a, std::int64_t b, std::int64_t c) {
    return a * b > most_elements ? a * b : a * b * c;
  };
  if (count(p.height + p.pad_top + p.pad_bottom, p.width + p.pad_left + p.pad_right, p.channels) > most_elements ||
      count(p.out_height(), p.out_width(), p.kernels) > most_elements ||
      count(p.kernels, p.group_channels(), std::int64_t{p.kernel_height} * p.kernel_width) > most_elements)
    return "a tensor has more than 2^28 elements";
  if (valid_rows(p) == 0 || valid_columns(p) == 0) return "no tap of any output meets the image";
  return {};
}

}  // namespace

std::string fault(const Problem& p) {
  if (std::string extents = extent_fault(p); !extents.empty()) return extents;
  if (std::string padding = padding_fault(p); !padding.empty()) return padding;
  return size_fault(p);
}

std::string text(const Problem& p) {
  std::string text =
      fmt::format("{}x{}x{} -> {}, {}x{}", p.height, p.width, p.channels, p.kernels, p.kernel_height, p.kernel_width);
  if (p.stride_height != 1 || p.stride_width != 1) text += ", stride " + one_or_two(p.stride_height, p.stride_width);
  if (p.dilation_height != 1 || p.dilation_width != 1)
    text += ", dilation " + one_or_two(p.dilation_height, p.dilation_width);
  if (p.groups != 1) text += fmt::format(", groups {}", p.groups);
  if (!padded_same(p)) text += fmt::format(", pad {} {} {} {}", p.pad_top, p.pad_left, p.pad_bottom, p.pad_right);
  if (p.threads != 1) text += fmt::format(", threads {}", p.threads);
  const auto add = [&](const char* tensor, const flyte::Storage& storage) {
    if (!storage.complete()) text += fmt::format(", {} {}", tensor, flyte::text(storage));
  };
  add("image", p.stored.image);
  add("weights", p.stored.weights);
  add("output", p.stored.output);
  return text;
}

std::optional<Problem> parse_problem(std::string_view text, Diagnostics& diagnostics) {
  Problem problem;
  if (!read_all(text, problem)) {
    diagnostics.error({{}, 0, "problem"}, quoted(text) + " isn't a convolution", expected);
    return std::nullopt;
  }
  const std::string wrong = fault(problem);
  if (wrong.empty()) return problem;
  diagnostics.error({{}, 0, "problem"}, quoted(text) + ": " + wrong, expected);
  return std::nullopt;
}

}  // namespace convscope::cpu
