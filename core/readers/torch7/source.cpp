#include "core/readers/torch7/source.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace convscope::readers::torch7 {
namespace {

using network::ElementType;

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// As printf writes it; nothing if it is no number.
std::optional<double> real_of(std::string_view word) {
  if (const auto number = parse_number(word)) return number;
  const bool negative = word.starts_with('-');
  const std::string_view name = negative ? word.substr(1) : word;
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "inf")
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  return std::nullopt;
}

template <typename Value, typename Read>
Array gathered(ElementType type, std::int64_t count, const Read& read) {
  auto values = std::make_shared<std::vector<Value>>();
  values->reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) values->push_back(static_cast<Value>(read()));
  const auto bytes = std::as_bytes(std::span<const Value>(*values));
  return {type, count, std::move(values), bytes};
}

}  // namespace

std::string Place::text() const {
  return line > 0 ? std::string() : fmt::format("byte {}", byte);
}

Place Source::place() const {
  constexpr std::int64_t last = std::numeric_limits<int>::max();
  return {at_, form_.text ? static_cast<int>(std::min(line_, last)) : 0};
}

void Source::fail(std::string what, std::string expected) {
  if (failed()) return;
  problem_ = {place(), std::move(what), std::move(expected)};
}

std::string_view Source::raw(std::size_t count) {
  if (failed()) return {};
  if (count > left()) {
    fail(fmt::format("the file ends after {} of {} bytes", left(), count));
    return {};
  }
  const std::string_view piece = bytes_.substr(at_, count);
  at_ += count;
  if (form_.text) line_ += std::count(piece.begin(), piece.end(), '\n');
  return piece;
}

std::string_view Source::word() {
  std::size_t begin = at_;
  while (begin < bytes_.size() && is_blank(bytes_[begin])) ++begin;
  raw(begin - at_);
  std::size_t end = begin;
  while (end < bytes_.size() && !is_blank(bytes_[end])) ++end;
  if (end == begin) fail("the file ends where a number should stand");
  return raw(end - begin);
}

/// In text a line break follows each piece that isn't empty.
void Source::end_of_piece() {
  if (form_.text && left() > 0 && bytes_[at_] == '\n') raw(1);
}

template <typename Value>
Value Source::binary() {
  Value value{};
  const std::string_view piece = raw(sizeof value);
  if (!failed()) std::memcpy(&value, piece.data(), sizeof value);
  return value;
}

std::int64_t Source::whole_number() {
  const std::string_view text = word();
  const auto value = parse_integer<std::int64_t>(text);
  if (!value) fail(fmt::format("'{}' is no integer", text.substr(0, 40)));
  return value.value_or(0);
}

double Source::real_number() {
  const std::string_view text = word();
  const auto value = real_of(text);
  if (!value) fail(fmt::format("'{}' is no number", text.substr(0, 40)));
  return value.value_or(0);
}

std::int64_t Source::integer() {
  if (!form_.text) return binary<std::int32_t>();
  const std::int64_t value = whole_number();
  end_of_piece();
  return value;
}

std::int64_t Source::long_integer() {
  if (form_.text) return integer();
  return form_.long_bytes == 8 ? binary<std::int64_t>() : binary<std::int32_t>();
}

double Source::number() {
  if (!form_.text) return binary<double>();
  const double value = real_number();
  end_of_piece();
  return value;
}

std::string_view Source::characters(std::int64_t count) {
  if (count < 0) fail(fmt::format("a text of {} bytes", count));
  const std::string_view piece = raw(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  if (count > 0) end_of_piece();
  return piece;
}

std::string_view Source::string() {
  return characters(integer());
}

bool Source::has_room(std::int64_t count, std::size_t size) const {
  // The last number of a text needs no blank behind it.
  const std::size_t each = form_.text ? 2 : size;
  return count >= 0 && static_cast<std::uint64_t>(count) <= (left() + 1) / each;
}

Array Source::array(ElementType type, std::int64_t count) {
  const auto width = static_cast<std::size_t>(network::element_bits(type) / 8);
  const bool characters_in_text = form_.text && width == 1;
  if (!characters_in_text && !has_room(count, width))
    fail(fmt::format("{} values of {} bytes, of which the rest of the file has {}", count, width, left()));
  if (failed()) return {type, 0, nullptr, {}};
  if (form_.text && !characters_in_text) return array_in_text(type, count);
  const std::string_view piece = form_.text ? characters(count) : raw(static_cast<std::size_t>(count) * width);
  return {type, failed() ? 0 : count, owner_, std::as_bytes(std::span(piece))};
}

Array Source::array_in_text(ElementType type, std::int64_t count) {
  const auto whole = [this] { return whole_number(); };
  const auto real = [this] { return real_number(); };
  Array result;
  if (type == ElementType::float64)
    result = gathered<double>(type, count, real);
  else if (type == ElementType::int16)
    result = gathered<std::int16_t>(type, count, whole);
  else if (type == ElementType::int32)
    result = gathered<std::int32_t>(type, count, whole);
  else if (type == ElementType::int64)
    result = gathered<std::int64_t>(type, count, whole);
  else  // halves are printed as floats are
    result = gathered<float>(ElementType::float32, count, real);
  if (count > 0) end_of_piece();
  return result;
}

}  // namespace convscope::readers::torch7
