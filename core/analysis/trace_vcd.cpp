#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/trace_text.h"

namespace convscope::analysis {
namespace {

using artifact::StateBlock;
using artifact::StateFormat;

/// Short names of wires: printable characters from '!' on.
std::string identifier(std::size_t number) {
  constexpr std::size_t letters = '~' - '!' + 1;
  std::string text;
  do {
    text += static_cast<char>('!' + number % letters);
    number /= letters;
  } while (number-- > 0);
  return text;
}

/// A name without blanks and brackets, which viewers read in their own way.
std::string plain(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
  return text;
}

std::string bits_of(std::int64_t value, int bits) {
  if (value == artifact::no_value) return "bx";
  std::string text = "b";
  for (int bit = bits - 1; bit >= 0; --bit) text += (value >> bit & 1) != 0 ? '1' : '0';
  return text;
}

class VcdWriter {
 public:
  VcdWriter(const TraceStretch& stretch, const TextSink& sink) : stretch_(stretch), sink_(sink) {
    const auto& blocks = stretch.trace.schema().blocks;
    for (int b = 0; b < static_cast<int>(blocks.size()); ++b)
      if (shown(stretch, b)) blocks_.push_back(b);
  }

  static bool shown(const TraceStretch& stretch, int block) {
    const StateBlock& b = stretch.trace.schema().blocks[static_cast<std::size_t>(block)];
    if (b.format == StateFormat::text) return false;
    if (stretch.blocks.empty()) return b.size() <= small_block;
    return std::find(stretch.blocks.begin(), stretch.blocks.end(), block) != stretch.blocks.end();
  }

  void write(const std::stop_token& stop) {
    head();
    for (std::int64_t cycle = stretch_.from; cycle < stretch_.to; ++cycle) {
      throw_if_stopped(stop);
      text_ = fmt::format("#{}\n", cycle);
      if (cycle == stretch_.from) text_ += "$dumpvars\n";
      changes(cycle);
      if (cycle == stretch_.from) text_ += "$end\n";
      sink_(text_);
    }
    sink_(fmt::format("#{}\n", stretch_.to));
  }

 private:
  void head() {
    const auto& schema = stretch_.trace.schema();
    text_ = fmt::format("$comment {} on {}, cycles {} to {}, a cycle is 1 ns $end\n$timescale 1 ns $end\n",
                        plain(stretch_.program), stretch_.target, stretch_.from, stretch_.to - 1);
    text_ += fmt::format("$scope module {} $end\n", plain(stretch_.target));
    declare(64, "address");
    declare(64, "iteration");
    for (const std::string& unit : schema.units) declare(2, "unit_" + plain(unit));
    for (const int b : blocks_) {
      const StateBlock& block = schema.blocks[static_cast<std::size_t>(b)];
      text_ += fmt::format("$scope module {} $end\n", plain(block.name));
      for (std::int64_t i = 0; i < block.size(); ++i) declare(block.bits, fmt::format("{}_{}", plain(block.name), i));
      text_ += "$upscope $end\n";
    }
    sink_(text_ + "$upscope $end\n$enddefinitions $end\n");
  }

  void declare(int bits, const std::string& name) {
    text_ += fmt::format("$var wire {} {} {} $end\n", bits, identifier(bits_.size()), name);
    bits_.push_back(bits);
  }

  void changes(std::int64_t cycle) {
    wire_ = 0;
    const artifact::CycleChanges told = stretch_.trace.changes(cycle);
    tell(told.address < 0 ? artifact::no_value : told.address);
    tell(told.iteration < 0 ? artifact::no_value : told.iteration);
    for (const artifact::UnitCycle& unit : told.units) tell(static_cast<std::int64_t>(unit.activity));
    for (const int block : blocks_) {
      const std::int64_t size = stretch_.trace.schema().blocks[static_cast<std::size_t>(block)].size();
      for (const std::int64_t value : stretch_.trace.values(cycle, block, 0, size).numbers) tell(value);
    }
    first_ = false;
  }

  void tell(std::int64_t value) {
    if (first_) before_.push_back(value);
    if (first_ || before_[wire_] != value)
      text_ += fmt::format("{} {}\n", bits_of(value, bits_[wire_]), identifier(wire_));
    before_[wire_] = value;
    ++wire_;
  }

  const TraceStretch& stretch_;
  const TextSink& sink_;
  std::vector<int> blocks_;
  std::vector<int> bits_;             ///< by wire
  std::vector<std::int64_t> before_;  ///< by wire
  std::size_t wire_ = 0;
  bool first_ = true;
  std::string text_;
};

}  // namespace

std::int64_t elements(const TraceStretch& stretch) {
  std::int64_t count = 0;
  const auto& blocks = stretch.trace.schema().blocks;
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b)
    if (VcdWriter::shown(stretch, b)) count += blocks[static_cast<std::size_t>(b)].size();
  return count;
}

void write_trace_vcd(const TraceStretch& stretch, const TextSink& sink, const std::stop_token& stop) {
  VcdWriter(stretch, sink).write(stop);
}

}  // namespace convscope::analysis
