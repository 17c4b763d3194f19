#pragma once
// NVE's instruction word (thesis, Table 2 and section 3.2). A field that does nothing is 'none'.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/nve/architecture/machine.h"

namespace convscope::nve {

/// Issue fields, in listing order. MEMW exists only on machines with a separate write port, MEMB only with a port B.
enum class Field { mema, memb, memw, wreg, ireg, vmac, act };
inline constexpr int field_count = 7;
const char* field_name(Field field);
bool has_field(const SchedulingMachine& machine, Field field);

enum class MemoryKindOfAccess : std::uint8_t { none, read, write };

/// Address generation (eqs 3.1, 3.2): address = offset + update; after execution, if `circular`,
/// update = update + inc, or 0 if that equals toggle.
struct MemoryField {
  MemoryKindOfAccess kind = MemoryKindOfAccess::none;
  bool circular = false;  ///< the AGU's mode bit
  int offset = 0;         ///< words
  int update = 0;         ///< words; initial value
  bool operator==(const MemoryField&) const = default;
};

enum class WeightOperation : std::uint8_t { none, set, shift };
enum class ImageOperation : std::uint8_t { none, set, set_shift, shift };
enum class VectorOperation : std::uint8_t { none, set_bias, mac };

struct Instruction {
  MemoryField mema, memb, memw;
  WeightOperation weight = WeightOperation::none;
  ImageOperation image = ImageOperation::none;
  int image_group = 0;  ///< of `set ri`
  VectorOperation vector = VectorOperation::none;
  int accumulator = 0;  ///< vector of accumulators that the vector operation works on
  bool activate = false;
  int half = 0;  ///< of ACT: 0 for lanes 0 … lanes/2-1, 1 for the rest
  bool operator==(const Instruction&) const = default;

  MemoryField& memory(Field field) { return field == Field::mema ? mema : field == Field::memb ? memb : memw; }
  const MemoryField& memory(Field field) const {
    return field == Field::mema ? mema : field == Field::memb ? memb : memw;
  }
};

/// An encoded instruction: bit 0 is the lowest bit of [0]. Widths follow from the machine; docs/nve-encoding.md.
using EncodedWord = std::array<std::uint64_t, 2>;

/// Bits of an instruction word for a machine; at most 128 for every machine within its parameters' ranges.
int instruction_bits(const SchedulingMachine& machine);
/// Asserts that every field is in range for the machine.
EncodedWord encode(const Instruction& instruction, const SchedulingMachine& machine);
/// Nothing, with a message in `error`, if a field holds a code that no operation has.
std::optional<Instruction> decode(const EncodedWord& word, const SchedulingMachine& machine,
                                  std::string* error = nullptr);

}  // namespace convscope::nve
