#include "core/nve/architecture/instruction.h"

#include <bit>
#include <cassert>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

constexpr int word_bits = 128;
constexpr int operation_bits = 2;

int bits_for(int values) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(values - 1)));
}
int address_bits(const SchedulingMachine& machine) {
  return bits_for(machine.local_buffer_words);
}
int group_count(const SchedulingMachine& machine) {
  return RegisterLayout(machine, largest_lane_stride).groups();
}
constexpr Field memory_fields[] = {Field::mema, Field::memb, Field::memw};

/// Appends fields from bit 0 upwards.
class BitWriter {
 public:
  void put(int value, int width) {
    assert(value >= 0 && bits_for(value + 1) <= width && position_ + width <= word_bits);
    for (int i = 0; i < width; ++i, ++position_)
      word_[static_cast<std::size_t>(position_ / 64)] |=
          static_cast<std::uint64_t>((static_cast<unsigned>(value) >> i) & 1U) << (position_ % 64);
  }
  const EncodedWord& word() const { return word_; }

 private:
  EncodedWord word_{};
  int position_ = 0;
};

/// Takes fields from bit 0 upwards and keeps the first complaint.
class BitReader {
 public:
  explicit BitReader(const EncodedWord& word) : word_(word) {}
  int take(int width) {
    unsigned value = 0;
    for (int i = 0; i < width; ++i, ++position_)
      value |= static_cast<unsigned>((word_[static_cast<std::size_t>(position_ / 64)] >> (position_ % 64)) & 1U) << i;
    return static_cast<int>(value);
  }
  void refuse(std::string text) {
    if (complaint_.empty()) complaint_ = std::move(text);
  }
  bool rest_is_zero() const {
    for (int i = position_; i < word_bits; ++i)
      if ((word_[static_cast<std::size_t>(i / 64)] >> (i % 64)) & 1U) return false;
    return true;
  }
  int position() const { return position_; }
  const std::string& complaint() const { return complaint_; }

 private:
  EncodedWord word_;
  int position_ = 0;
  std::string complaint_;
};

/// An operand that only some operations have must be zero for the others, so that each instruction has one encoding.
int take_operand(BitReader& reader, int width, bool used, Field field, const char* operand) {
  const int value = reader.take(width);
  if (!used && value != 0)
    reader.refuse(
        fmt::format("{}: {} is {} but the operation has none; expected 0", field_name(field), operand, value));
  return value;
}

int take_operation(BitReader& reader, Field field, int highest) {
  const int code = reader.take(operation_bits);
  if (code > highest)
    reader.refuse(fmt::format("{}: code {} is no operation; expected 0 to {}", field_name(field), code, highest));
  return code;
}

MemoryField take_memory(BitReader& reader, const SchedulingMachine& machine, Field field) {
  MemoryField memory;
  memory.kind = static_cast<MemoryKindOfAccess>(take_operation(reader, field, 2));
  const bool used = memory.kind != MemoryKindOfAccess::none;
  memory.circular = take_operand(reader, 1, used, field, "mode") != 0;
  memory.offset = take_operand(reader, address_bits(machine), used, field, "offset");
  memory.update = take_operand(reader, address_bits(machine), used, field, "update");
  return memory;
}

void put_memory(BitWriter& writer, const SchedulingMachine& machine, const MemoryField& memory) {
  const bool used = memory.kind != MemoryKindOfAccess::none;
  writer.put(static_cast<int>(memory.kind), operation_bits);
  writer.put(used && memory.circular ? 1 : 0, 1);
  writer.put(used ? memory.offset : 0, address_bits(machine));
  writer.put(used ? memory.update : 0, address_bits(machine));
}

void take_image(BitReader& reader, const SchedulingMachine& machine, Instruction& instruction) {
  instruction.image = static_cast<ImageOperation>(take_operation(reader, Field::ireg, 3));
  const bool used = instruction.image == ImageOperation::set;
  instruction.image_group = take_operand(reader, bits_for(group_count(machine)), used, Field::ireg, "group");
  if (instruction.image_group >= group_count(machine))
    reader.refuse(fmt::format("IREG: group {}; expected 0 to {}", instruction.image_group, group_count(machine) - 1));
}

}  // namespace

const char* field_name(Field field) {
  constexpr const char* names[field_count] = {"MEMA", "MEMB", "MEMW", "WREG", "IREG", "VMAC", "ACT"};
  return names[static_cast<int>(field)];
}

bool has_field(const SchedulingMachine& machine, Field field) {
  if (field == Field::memb) return machine.has_port_b();
  return field != Field::memw || machine.has_write_port();
}

int instruction_bits(const SchedulingMachine& machine) {
  int bits = 0;
  for (Field field : memory_fields)
    if (has_field(machine, field)) bits += operation_bits + 1 + 2 * address_bits(machine);
  return bits + 3 * operation_bits + bits_for(group_count(machine)) + bits_for(machine.accumulators) + 2;
}

EncodedWord encode(const Instruction& instruction, const SchedulingMachine& machine) {
  BitWriter writer;
  for (Field field : memory_fields) {
    assert(has_field(machine, field) || instruction.memory(field).kind == MemoryKindOfAccess::none);
    if (has_field(machine, field)) put_memory(writer, machine, instruction.memory(field));
  }
  writer.put(static_cast<int>(instruction.weight), operation_bits);
  writer.put(static_cast<int>(instruction.image), operation_bits);
  writer.put(instruction.image == ImageOperation::set ? instruction.image_group : 0, bits_for(group_count(machine)));
  writer.put(static_cast<int>(instruction.vector), operation_bits);
  writer.put(instruction.vector == VectorOperation::none ? 0 : instruction.accumulator, bits_for(machine.accumulators));
  writer.put(instruction.activate ? 1 : 0, 1);
  writer.put(instruction.activate ? instruction.half : 0, 1);
  return writer.word();
}

std::optional<Instruction> decode(const EncodedWord& word, const SchedulingMachine& machine, std::string* error) {
  BitReader reader(word);
  Instruction instruction;
  for (Field field : memory_fields)
    if (has_field(machine, field)) instruction.memory(field) = take_memory(reader, machine, field);
  instruction.weight = static_cast<WeightOperation>(take_operation(reader, Field::wreg, 2));
  take_image(reader, machine, instruction);
  instruction.vector = static_cast<VectorOperation>(take_operation(reader, Field::vmac, 2));
  instruction.accumulator = take_operand(reader, bits_for(machine.accumulators),
                                         instruction.vector != VectorOperation::none, Field::vmac, "vector");
  instruction.activate = reader.take(1) != 0;
  instruction.half = take_operand(reader, 1, instruction.activate, Field::act, "half");
  if (!reader.rest_is_zero())
    reader.refuse(fmt::format("bits from {} upwards are not zero; an instruction has {} bits", reader.position(),
                              instruction_bits(machine)));
  if (reader.complaint().empty()) return instruction;
  if (error) *error = reader.complaint();
  return std::nullopt;
}

}  // namespace convscope::nve
