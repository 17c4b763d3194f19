#include "core/snowflake/architecture/program_check.h"

#include <fmt/format.h>

#include "core/arch/field_ranges.h"
#include "core/snowflake/architecture/program_fields.h"

namespace convscope::snowflake {
namespace {

using arch::RangeVisitor;

class ProgramCheck {
 public:
  ProgramCheck(const Program& program, const std::string& file, Diagnostics& diagnostics)
      : program_(program), file_(file), diagnostics_(diagnostics) {}

  bool all() {
    sizes();
    if (!found_.has_errors()) ranges_of("region", program_.regions);
    if (!found_.has_errors()) ranges_of("layer", program_.layers);
    if (!found_.has_errors()) ranges_of("block", program_.blocks);
    if (!found_.has_errors()) ranges_of("range", program_.ranges);
    if (!found_.has_errors()) places();
    diagnostics_.append(found_);
    return !found_.has_errors();
  }

 private:
  void fail(const std::string& element, const std::string& what, const std::string& expected) {
    found_.error({file_, 0, element}, what, expected);
  }
  void range(const std::string& element, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) fail(element, fmt::format("{}", value), fmt::format("{} to {}", low, high));
  }
  template <typename Part>
  static std::int64_t size(const std::vector<Part>& parts) {
    return static_cast<std::int64_t>(parts.size());
  }

  void sizes() {
    if (program_.name != clean(program_.name))
      fail("name", "text that is no clean UTF-8", "text without control characters");
    range("dram_words", program_.dram_words, 0, most_dram_words);
    range("number of instructions", size(program_.code), 0, most_instructions);
    range("number of blocks", size(program_.blocks), 0, most_instructions);
    range("number of ranges", size(program_.ranges), 0, most_instructions);
    range("number of regions", size(program_.regions), 0, most_parts);
    range("number of layers", size(program_.layers), 0, most_parts);
  }

  template <typename Part>
  void ranges_of(const char* what, const std::vector<Part>& parts) {
    for (std::size_t i = 0; i < parts.size() && found_.count(Severity::error) < Diagnostics::cap; ++i) {
      RangeVisitor visitor(fmt::format("{} {}", what, i), file_, found_);
      visit_fields(visitor, parts[i]);
    }
  }

  void places() {
    const std::int64_t last_layer = std::max<std::int64_t>(0, size(program_.layers) - 1);
    for (std::size_t i = 0; i < program_.regions.size(); ++i) {
      const Region& region = program_.regions[i];
      const std::string element = fmt::format("region {}", i);
      range(element + " end", region.first_word + region.words, 0, program_.dram_words);
      range(element + " last_layer", region.last_layer, region.first_layer, last_layer);
    }
    for (std::size_t i = 0; i < program_.layers.size(); ++i) layer(program_.layers[i], fmt::format("layer {}", i));
    for (std::size_t i = 0; i < program_.blocks.size(); ++i) block(program_.blocks[i], fmt::format("block {}", i));
    int previous = 0;
    for (std::size_t i = 0; i < program_.ranges.size(); ++i) {
      const CodeRange& part = program_.ranges[i];
      const std::string element = fmt::format("range {}", i);
      range(element + " first", part.first, previous, size(program_.code));
      range(element + " end", std::int64_t{part.first} + part.count, part.first, size(program_.code));
      range(element + " layer", part.layer, -1, last_layer);
      previous = part.first;
    }
  }

  void layer(const ProgramLayer& layer, const std::string& element) {
    maps(layer.in, element + " in", 0);
    maps(layer.out, element + " out", 0);
    maps(layer.bypass, element + " bypass", -1);
    range(element + " kernels region", layer.kernels.region, -1, size(program_.regions) - 1);
  }

  /// Sides are at most 2^20 each: the product of two fits, that of three needs care.
  void maps(const MapsPlace& place, const std::string& element, int lowest) {
    range(element + " region", place.region, lowest, size(program_.regions) - 1);
    if (place.region < 0 || place.region >= size(program_.regions)) return;
    range(element + " pitch", place.pitch, place.channels, largest_side);
    const std::int64_t pixels = std::int64_t{place.height} * place.width;
    const std::int64_t words = program_.regions[static_cast<std::size_t>(place.region)].words;
    if (pixels > most_dram_words || place.offset + (pixels - 1) * place.pitch + place.channels > words)
      fail(element,
           fmt::format("{} x {} pixels of {} words from word {}", place.height, place.width, place.pitch, place.offset),
           fmt::format("maps inside the region's {} words", words));
  }

  void block(const CodeBlock& block, const std::string& element) {
    range(element + " end", std::int64_t{block.first} + block.count, block.first, size(program_.code));
    range(element + " end in DRAM", block.dram_word + std::int64_t{instruction_words} * block.count, 0,
          program_.dram_words);
  }

  const Program& program_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  Diagnostics found_;
};

}  // namespace

bool check_program(const Program& program, const std::string& file, Diagnostics& diagnostics) {
  return ProgramCheck(program, file, diagnostics).all();
}

}  // namespace convscope::snowflake
