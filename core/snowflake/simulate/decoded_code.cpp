#include "core/snowflake/simulate/decoded_code.h"

#include <algorithm>

namespace convscope::snowflake::simulation {
namespace {

CodeWord decoded(EncodedInstruction encoded) {
  CodeWord word;
  const auto instruction = decode(encoded);
  if (!instruction) return word;
  word.legal = true;
  word.opcode = instruction->opcode;
  word.mode = instruction->mode;
  word.rd = instruction->rd;
  word.rs1 = instruction->rs1;
  word.rs2 = instruction->rs2;
  word.immediate = instruction->immediate;
  if (word.opcode == Opcode::mac || word.opcode == Opcode::max) {
    const VectorField field = vector_field(instruction->immediate);
    word.writes_back = field.write_back;
    word.length = field.length;
  }
  word.halts = word.opcode == Opcode::beq && !word.mode && word.rs1 == 0 && word.rs2 == 0 && word.immediate == 0;
  return word;
}

/// Layers that the program hasn't count as the first.
void mark(std::vector<CodeWord>& words, const CodeRange& range, std::size_t layers) {
  const auto size = static_cast<std::int64_t>(words.size());
  const std::int64_t first = std::clamp<std::int64_t>(range.first, 0, size);
  const std::int64_t last = std::clamp<std::int64_t>(std::int64_t{range.first} + range.count, first, size);
  const bool known = range.layer >= 0 && static_cast<std::size_t>(range.layer) < layers;
  const int layer = known ? range.layer : 0;
  for (std::int64_t i = first; i < last; ++i) {
    words[static_cast<std::size_t>(i)].layer = layer;
    words[static_cast<std::size_t>(i)].tile = range.tile;
  }
}

}  // namespace

std::array<std::uint8_t, 5> sources(const CodeWord& word) {
  constexpr std::uint8_t configuration = configuration_register, stride = cu_stride_register;
  const auto if_writes = [&](std::uint8_t source) -> std::uint8_t { return word.writes_back ? source : 0; };
  switch (word.opcode) {
    case Opcode::movi:
      return {};
    case Opcode::mov:  // its rs2 field is the shift itself
    case Opcode::addi:
    case Opcode::muli:
      return {word.rs1};
    case Opcode::add:
    case Opcode::mul:
    case Opcode::ble:
    case Opcode::bgt:
    case Opcode::beq:
      return {word.rs1, word.rs2};
    case Opcode::mac:
      return {word.rs1, word.rs2, configuration, if_writes(word.rd), if_writes(stride)};
    case Opcode::max:
      return {word.rs1, configuration, if_writes(word.rd), if_writes(stride)};
    case Opcode::vmov:
      return {word.rs1, configuration};
    case Opcode::ld:
      return {word.rd, word.rs1, word.rs2};
  }
  return {};
}

DecodedCode::DecodedCode(const Program& program) : blocks_(program.blocks) {
  words_.reserve(program.code.size());
  for (const EncodedInstruction encoded : program.code) words_.push_back(decoded(encoded));
  for (const CodeRange& range : program.ranges) mark(words_, range, program.layers.size());
  const auto size = static_cast<std::int64_t>(words_.size());
  std::erase_if(blocks_, [&](const CodeBlock& block) {
    return block.first < 0 || block.count <= 0 || std::int64_t{block.first} + block.count > size;
  });
  std::ranges::stable_sort(blocks_, {}, &CodeBlock::dram_word);
}

std::optional<int> DecodedCode::index_at(std::int64_t dram_word) const {
  const auto after = std::ranges::upper_bound(blocks_, dram_word, {}, &CodeBlock::dram_word);
  if (after == blocks_.begin()) return std::nullopt;
  const CodeBlock& block = *std::prev(after);
  const std::int64_t offset = dram_word - block.dram_word;
  if (offset % instruction_words != 0 || offset / instruction_words >= block.count) return std::nullopt;
  return block.first + static_cast<int>(offset / instruction_words);
}

bool DecodedCode::overlaps(std::int64_t first, std::int64_t words) const {
  const auto after = std::ranges::lower_bound(blocks_, first + words, {}, &CodeBlock::dram_word);
  if (after == blocks_.begin()) return false;
  const CodeBlock& block = *std::prev(after);
  return block.dram_word + std::int64_t{block.count} * instruction_words > first;
}

}  // namespace convscope::snowflake::simulation
