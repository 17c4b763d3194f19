#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

Machine whole_machine(const Machine& machine) {
  Machine whole = machine;
  if (machine.double_buffering || machine.doubled.input) whole.input_bytes *= 2;
  if (machine.double_buffering || machine.doubled.weights) whole.weight_bytes *= 2;
  if (machine.double_buffering || machine.doubled.output) whole.output_bytes *= 2;
  whole.double_buffering = whole.choose_doubled = false;
  whole.doubled = {};
  return whole;
}

std::int64_t memory_bytes(const Machine& whole, Memory memory) {
  switch (memory) {
    case Memory::data:
      return data_ram_bytes;
    case Memory::input:
      return whole.input_bytes;
    case Memory::weights:
      return whole.weight_bytes;
    case Memory::output:
      break;
  }
  return whole.output_bytes;
}

}  // namespace convscope::nmp
