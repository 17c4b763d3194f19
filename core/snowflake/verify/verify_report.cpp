#include "core/snowflake/verify/verify_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake {

std::string_view rule_code(Rule rule) {
  static constexpr std::array<std::string_view, rule_count> codes{
      "illegal-opcode",      "stray-bits",  "illegal-operand",   "block-size",     "block-place",   "branch-in-slot",
      "branch-leaves-block", "raw-pairs",   "load-in-jump-slot", "jump-not-taken", "jump-unloaded", "runs-off",
      "endless-loop",        "step-budget", "trace-length",      "mixed-traces",   "cu-mask",       "buffer-end",
      "never-loaded",        "early-load",  "load-race",         "load-length",    "load-source",   "never-written",
      "output-place",        "write-race",  "output-missing"};
  return codes[static_cast<std::size_t>(rule)];
}

namespace verification {

void Report::at(int address, Rule rule, const std::string& what, const std::string& expected, const std::string& hint) {
  if (listed(rule) && seen_.emplace(rule, address).second) return error(place(address), rule, what, expected, hint);
  ++violations_;
}

void Report::error(const std::string& element, Rule rule, const std::string& what, const std::string& expected,
                   const std::string& hint) {
  ++violations_;
  if (!listed(rule)) return;
  ++counts_[static_cast<std::size_t>(rule)];
  diagnostics_.error({program_.name, 0, element}, fmt::format("{}: {}", rule_code(rule), what), expected, hint);
}

std::string Report::place(int address) const {
  std::string text = fmt::format("instruction {}", address);
  for (std::size_t i = 0; i < program_.blocks.size(); ++i) {
    const CodeBlock& block = program_.blocks[i];
    if (address < block.first || address - block.first >= block.count) continue;
    text += fmt::format(" (block {}, word {})", i, address - block.first);
    break;
  }
  const auto after = std::upper_bound(program_.ranges.begin(), program_.ranges.end(), address,
                                      [](int wanted, const CodeRange& range) { return wanted < range.first; });
  if (after == program_.ranges.begin()) return text;
  const CodeRange& range = *(after - 1);
  const bool named =
      address - range.first < range.count && range.layer >= 0 && range.layer < static_cast<int>(program_.layers.size());
  return named ? text + " of layer '" + program_.layers[static_cast<std::size_t>(range.layer)].name + '\'' : text;
}

}  // namespace verification
}  // namespace convscope::snowflake
