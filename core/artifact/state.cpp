#include "core/artifact/state.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace convscope::artifact {

std::string_view state_kind_name(StateKind kind) {
  constexpr std::string_view names[] = {"registers", "memory", "port", "queue", "unit", "counter", "image", "window"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view state_format_name(StateFormat format) {
  constexpr std::string_view names[] = {"integer", "fixed point", "hexadecimal", "text"};
  return names[static_cast<std::size_t>(format)];
}

std::string_view unit_activity_name(UnitActivity activity) {
  constexpr std::string_view names[] = {"busy", "idle", "stalled"};
  return names[static_cast<std::size_t>(activity)];
}

int StateSchema::find(std::string_view block) const {
  const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const StateBlock& b) { return b.name == block; });
  return found == blocks.end() ? -1 : static_cast<int>(found - blocks.begin());
}

std::string state_text(const StateBlock& block, const StateValues& values, std::size_t index) {
  if (block.format == StateFormat::text) return values.texts[index].empty() ? "-" : values.texts[index];
  const std::int64_t value = values.numbers[index];
  if (value == no_value) return "-";
  switch (block.format) {
    case StateFormat::fixed_point:
      return fmt::format("{:.{}f}", std::ldexp(static_cast<double>(value), -block.fraction),
                         std::min(block.fraction, 6));
    case StateFormat::hexadecimal: {
      const std::uint64_t mask = block.bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << block.bits) - 1;
      return fmt::format("{:0{}x}", static_cast<std::uint64_t>(value) & mask, (block.bits + 3) / 4);
    }
    default:
      return fmt::format("{}", value);
  }
}

}  // namespace convscope::artifact
