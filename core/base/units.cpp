#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace convscope {
namespace {

enum class Sort { time, frequency, data, rate };

struct Unit {
  std::string_view symbol;
  Sort sort;
  double factor;  ///< in ns, Hz, bit, bit/s: whole numbers, so that conversions are exact
};

constexpr double kibi = 1024, mebi = kibi * kibi, gibi = mebi * kibi;

constexpr auto units = std::to_array<Unit>(
    {{"s", Sort::time, 1e9},          {"ms", Sort::time, 1e6},         {"us", Sort::time, 1e3},
     {"µs", Sort::time, 1e3},         {"ns", Sort::time, 1},           {"Hz", Sort::frequency, 1},
     {"kHz", Sort::frequency, 1e3},   {"MHz", Sort::frequency, 1e6},   {"GHz", Sort::frequency, 1e9},
     {"bit", Sort::data, 1},          {"bits", Sort::data, 1},         {"kbit", Sort::data, 1e3},
     {"Mbit", Sort::data, 1e6},       {"Gbit", Sort::data, 1e9},       {"Kibit", Sort::data, kibi},
     {"Mibit", Sort::data, mebi},     {"Gibit", Sort::data, gibi},     {"B", Sort::data, 8},
     {"byte", Sort::data, 8},         {"bytes", Sort::data, 8},        {"kB", Sort::data, 8e3},
     {"MB", Sort::data, 8e6},         {"GB", Sort::data, 8e9},         {"KiB", Sort::data, 8 * kibi},
     {"MiB", Sort::data, 8 * mebi},   {"GiB", Sort::data, 8 * gibi},   {"bit/s", Sort::rate, 1},
     {"kbit/s", Sort::rate, 1e3},     {"Mbit/s", Sort::rate, 1e6},     {"Gbit/s", Sort::rate, 1e9},
     {"B/s", Sort::rate, 8},          {"byte/s", Sort::rate, 8},       {"kB/s", Sort::rate, 8e3},
     {"MB/s", Sort::rate, 8e6},       {"GB/s", Sort::rate, 8e9},       {"TB/s", Sort::rate, 8e12},
     {"KiB/s", Sort::rate, 8 * kibi}, {"MiB/s", Sort::rate, 8 * mebi}, {"GiB/s", Sort::rate, 8 * gibi}});

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

const Unit* find_unit(std::string_view symbol) {
  const auto exact = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.symbol == symbol; });
  if (exact != units.end()) return &*exact;
  if (symbol.substr(0, 2) == "KB") return nullptr;
  // "16 gb/s" and "1 ghz" are meant as nothing else.
  const auto near =
      std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return same_letters(unit.symbol, symbol); });
  return near == units.end() ? nullptr : &*near;
}

bool same_word(std::string_view typed, std::string_view unit) {
  const auto singular = [](std::string_view word) {
    return word.size() > 2 && word.back() == 's' ? word.substr(0, word.size() - 1) : word;
  };
  return typed == unit || same_letters(singular(typed), singular(unit));
}

}  // namespace

std::optional<double> parse_in_unit(std::string_view text, std::string_view unit) {
  const auto number = leading_number(trimmed(text));
  if (!number) return std::nullopt;
  const double value = number->value;
  const std::string_view symbol = trimmed(number->rest);
  if (symbol.empty() || (!unit.empty() && symbol == unit)) return value;
  const Unit *from = find_unit(symbol), *to = find_unit(unit);
  if (from == nullptr || to == nullptr) {
    return !unit.empty() && to == nullptr && same_word(symbol, unit) ? std::optional(value) : std::nullopt;
  }
  if (from->sort != to->sort) return std::nullopt;
  const double converted =
      from->factor >= to->factor ? value * (from->factor / to->factor) : value / (to->factor / from->factor);
  return std::isfinite(converted) ? std::optional(converted) : std::nullopt;
}

std::string units_hint(std::string_view unit) {
  const Unit* known = find_unit(unit);
  if (unit.empty()) return "write digits, with a point and without a unit";
  if (known == nullptr) return fmt::format("write digits, with a point, in {}", unit);
  const char* others = known->sort == Sort::time        ? "ns, us, ms, s"
                       : known->sort == Sort::frequency ? "kHz, MHz, GHz"
                       : known->sort == Sort::data ? "bit, byte, kB, MB (powers of 1000), KiB, MiB (powers of 1024)"
                                                   : "MB/s, GB/s (powers of 1000), MiB/s, GiB/s (powers of 1024)";
  return fmt::format("write digits, with a point, in {} or with a unit: {}", unit, others);
}

}  // namespace convscope
