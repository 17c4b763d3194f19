#include <algorithm>

#include <fmt/format.h>

#include "core/artifact/tile_plan.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/artifacts/program_view.h"

namespace convscope::snowflake {
namespace {

using artifact::TileMove;
using artifact::TileTensor;

constexpr int all_groups = -1;

const char* purpose(CodeRange::Kind kind) {
  switch (kind) {
    case CodeRange::Kind::setup:
      return "set-up";
    case CodeRange::Kind::loads:
      return "loads";
    case CodeRange::Kind::window:
      return "window";
    case CodeRange::Kind::loop:
      return "loop";
    case CodeRange::Kind::jump:
      return "next bank";
  }
  return "";
}

std::string text_of(const CodeRange& range) {
  std::string text = fmt::format("{}, tile {}", purpose(range.kind), range.tile);
  if (range.kind == CodeRange::Kind::window) text += fmt::format(", window {}", range.window);
  return text;
}

artifact::OperationKey key_of_line(EncodedInstruction word) {
  const auto instruction = decode(word);
  if (!instruction) return 0;
  switch (instruction->opcode) {
    case Opcode::mac:
    case Opcode::max:
    case Opcode::vmov:
      return work_key();
    case Opcode::ld: {
      const auto field = load_field(instruction->immediate);
      return field ? load_key(field->target) : 0;
    }
    default:
      return 0;
  }
}

/// The range that holds an instruction; ranges are sorted and don't overlap.
const CodeRange* range_at(const Program& program, int address) {
  const auto after = std::upper_bound(program.ranges.begin(), program.ranges.end(), address,
                                      [](int at, const CodeRange& range) { return at < range.first; });
  if (after == program.ranges.begin()) return nullptr;
  const CodeRange& range = *std::prev(after);
  return address < range.first + range.count ? &range : nullptr;
}

}  // namespace

artifact::OperationKey work_key() {
  return artifact::key_of({true, TileMove::load, TileTensor::input, all_groups, 0});
}

artifact::OperationKey load_key(LoadTarget target) {
  if (target == LoadTarget::instructions) return 0;
  const TileTensor tensor = target == LoadTarget::maps ? TileTensor::input : TileTensor::weights;
  return artifact::key_of({false, TileMove::load, tensor, all_groups, 0});
}

artifact::OperationKey store_key() {
  return artifact::key_of({false, TileMove::store, TileTensor::output, all_groups, 0});
}

std::shared_ptr<const artifact::Listing> make_listing(const Program& program) {
  auto listing = std::make_shared<artifact::Listing>();
  listing->columns = {"instruction", "for"};
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const CodeBlock& block = program.blocks[b];
    for (int address = block.first; address < block.first + block.count; ++address) {
      const EncodedInstruction word = program.code[static_cast<std::size_t>(address)];
      const CodeRange* range = range_at(program, address);
      const artifact::OperationKey key = key_of_line(word);
      listing->lines.push_back({address,
                                fmt::format("block {}, bank {}", b, b % 2),
                                fmt::format("{:08x}", word),
                                {{instruction_text(word), key}, {range ? text_of(*range) : std::string(), key}}});
    }
  }
  listing->assembly = print_assembly(program);
  return listing;
}

}  // namespace convscope::snowflake
