#include <algorithm>

#include "core/nmp/artifacts/program_view.h"

namespace convscope::nmp {
namespace {

using artifact::OperationClass;

constexpr int byte_bits = 8, bytes_of_a_word = 4;

OperationClass class_of_region(RegionKind kind) {
  switch (kind) {
    case RegionKind::input:
    case RegionKind::maps:
      return OperationClass::pixels;
    case RegionKind::weights:
      return OperationClass::coefficients;
    case RegionKind::partial_sums:
      return OperationClass::transfer;
    case RegionKind::output:
      return OperationClass::write;
    case RegionKind::tables:
      return OperationClass::control;
  }
  return OperationClass::other;
}

artifact::Memory dram_memory(const Program& program, std::int64_t cycles) {
  artifact::Memory memory{"DRAM", program.dram_bytes, 0, byte_bits, {}};
  for (const Region& region : program.regions) {
    memory.used += region.bytes;
    memory.blocks.push_back({region.name, class_of_region(region.kind), region.first_byte, region.bytes, 0, cycles});
  }
  return memory;
}

}  // namespace

std::shared_ptr<const artifact::MemoryMap> make_program_map(const Program& program, std::int64_t cycles) {
  std::size_t words = 0;
  for (const auto& data : program.data) words = std::max(words, data.size());
  const auto used = static_cast<std::int64_t>(words) * bytes_of_a_word;
  const auto code = static_cast<std::int64_t>(program.code.size()) * bytes_of_a_word;
  auto map = std::make_shared<artifact::MemoryMap>();
  map->memories = {
      dram_memory(program, cycles),
      {"data RAM of a TLT",
       data_ram_bytes,
       used,
       byte_bits,
       {{"tables and biases", OperationClass::control, 0, used, 0, cycles}}},
      {"code", code, code, byte_bits, {{"code of all TLTs", OperationClass::control, 0, code, 0, cycles}}}};
  return map;
}

}  // namespace convscope::nmp
