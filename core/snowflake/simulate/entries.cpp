#include "core/snowflake/simulate/entries.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace convscope::snowflake::simulation {
namespace {

int mask_of(const VectorEntry& vector) {
  return vector.configuration.cus;
}

int last_cu(std::uint8_t cus) {
  return std::bit_width(static_cast<unsigned>(cus)) - 1;
}

bool in_buffer(const Pieces& pieces, std::int64_t more, std::int64_t size, const char* name, std::string& what) {
  if (pieces.words == 0 || (pieces.low() >= 0 && pieces.high() + more <= size)) return true;
  what = fmt::format("reads words {} to {} of a {} buffer of {} words", pieces.low(), pieces.high() + more - 1, name,
                     size);
  return false;
}

Regions regions_of(const Pieces& pieces, std::int64_t more, int unit) {
  if (pieces.words == 0) return {};
  return {static_cast<std::int32_t>(pieces.low() / unit), static_cast<std::int32_t>((pieces.high() + more - 1) / unit)};
}

/// Positions `hop` vectors apart, each a vector: MAX, and MAC with lanes.
bool set_lanes(VectorEntry& vector, const Machine& machine, std::int64_t rs1, std::string& what) {
  const int length = vector.word->length;
  if (length % machine.macs != 0) {
    what = fmt::format("length {} is not a multiple of a vector's {} words", length, machine.macs);
    return false;
  }
  const std::int64_t step = std::int64_t{std::max(1, vector.configuration.hop)} * machine.macs;
  vector.maps = {rs1, machine.macs, step, length / machine.macs};
  if (step == machine.macs) vector.maps = {rs1, length, 0, 1};
  vector.cycles = length / machine.macs;
  vector.output.words = machine.macs;
  return true;
}

void set_mac(VectorEntry& vector, const Machine& machine, std::int64_t rs1, std::int64_t rs2) {
  const int length = vector.word->length;
  const bool independent = vector.word->mode;
  vector.maps = {rs1, length, 0, 1};
  vector.kernels = {rs2, independent ? std::int64_t{length} * machine.macs : length, 0, 1};
  vector.cycles = independent ? length : (length + machine.macs - 1) / machine.macs;
  vector.output.words = independent ? machine.vmacs * machine.macs : machine.vmacs;
}

bool set_move(VectorEntry& vector, const Machine& machine, std::int64_t rs1, std::string& what) {
  const int select = vector.word->immediate;
  const int most = vector.word->mode ? 3 : 1;
  if (select > most) {
    what = fmt::format("VMOV has selection {}, expected 0 to {}", select, most);
    return false;
  }
  if (!vector.word->mode) {
    vector.kernels = {rs1, select == 1 ? 1 : machine.macs, 0, 1};
    return true;
  }
  const int words = machine.vmacs * (select >= 2 ? machine.macs : 1);
  vector.maps = {rs1, words, 0, 1};
  if (select == 0 || select == 3) vector.maps_cu_step = words;
  return true;
}

bool set_output(VectorEntry& vector, const Machine& machine, std::int64_t rd, std::int64_t stride) {
  vector.output.first = rd;
  vector.output.stride = stride;
  vector.output.cus = vector.configuration.cus;
  if (!vector.word->writes_back || vector.output.cus == 0) vector.output.words = 0;
  if (vector.word->writes_back) vector.cycles += machine.write_back;
  return true;
}

}  // namespace

bool Pieces::touches(std::int64_t from, std::int64_t to, std::int64_t unit) const {
  const std::int64_t low_unit = from / unit, high_unit = (to - 1) / unit;
  const auto meets = [&](std::int64_t begin, std::int64_t end) {
    return begin / unit <= high_unit && (end - 1) / unit >= low_unit;
  };
  if (words == 0 || !meets(low(), high())) return false;
  if (count == 1 || step <= unit) return true;
  for (int i = 0; i < count; ++i)
    if (meets(first + step * i, first + step * i + words)) return true;
  return false;
}

std::int64_t OutputWords::low() const {
  const int first_cu = std::countr_zero(static_cast<unsigned>(cus));
  return first + stride * (stride >= 0 ? first_cu : last_cu(cus));
}

std::int64_t OutputWords::high() const {
  const int first_cu = std::countr_zero(static_cast<unsigned>(cus));
  return first + stride * (stride >= 0 ? last_cu(cus) : first_cu) + words;
}

std::int64_t OutputWords::bytes() const {
  return std::int64_t{words} * std::popcount(static_cast<unsigned>(cus)) * word_bytes;
}

bool OutputWords::touches(std::int64_t from, std::int64_t to) const {
  if (words == 0 || low() >= to || high() <= from) return false;
  for (int cu = 0; cu <= last_cu(cus); ++cu) {
    const std::int64_t begin = first + stride * cu;
    if ((cus >> cu & 1) != 0 && begin < to && begin + words > from) return true;
  }
  return false;
}

bool reads_region_exactly(const VectorEntry& vector, const LoadEntry& load) {
  const int cus = mask_of(vector) & load.cus;
  if (load.target == LoadTarget::kernels) return !vector.first_vmac_only || load.vmac == 0;
  if (load.target != LoadTarget::maps) return false;
  if (vector.maps_cu_step == 0)
    return vector.maps.count == 1 || vector.maps.touches(load.buffer_word, load.buffer_end(), maps_region_words);
  for (int cu = 0; cu <= last_cu(static_cast<std::uint8_t>(cus)); ++cu) {
    Pieces maps = vector.maps;
    maps.first += std::int64_t{vector.maps_cu_step} * cu;
    if ((cus >> cu & 1) != 0 && maps.touches(load.buffer_word, load.buffer_end(), maps_region_words)) return true;
  }
  return false;
}

Regions regions_of(const LoadEntry& load) {
  if (load.target == LoadTarget::instructions) return {};
  const int unit = load.target == LoadTarget::maps ? maps_region_words : kernel_region_words;
  return {static_cast<std::int32_t>(load.buffer_word / unit),
          static_cast<std::int32_t>((load.buffer_end() - 1) / unit)};
}

bool set_operands(VectorEntry& vector, const Machine& machine, std::int64_t rd, std::int64_t rs1, std::int64_t rs2,
                  std::int64_t stride, std::string& what) {
  const CodeWord& word = *vector.word;
  const bool lanes = vector.configuration.lanes && word.opcode == Opcode::mac;
  if (mask_of(vector) >> machine.cus != 0) {
    what = fmt::format("CU mask {:#x} names CUs that the machine of {} has not", mask_of(vector), machine.cus);
    return false;
  }
  if (word.opcode == Opcode::vmov) {
    if (!set_move(vector, machine, rs1, what)) return false;
  } else if (word.opcode == Opcode::max || lanes) {
    if (!set_lanes(vector, machine, rs1, what)) return false;
    if (lanes) vector.kernels = {rs2, 1, 0, 1};
    vector.first_vmac_only = lanes;
  } else {
    set_mac(vector, machine, rs1, rs2);
  }
  set_output(vector, machine, rd, stride);
  if (mask_of(vector) == 0) return true;
  const std::int64_t more = std::int64_t{vector.maps_cu_step} * last_cu(vector.configuration.cus);
  vector.maps_regions = regions_of(vector.maps, more, maps_region_words);
  vector.kernel_regions = regions_of(vector.kernels, 0, kernel_region_words);
  return in_buffer(vector.maps, more, 2 * std::int64_t{machine.maps_bank_words}, "maps", what) &&
         in_buffer(vector.kernels, 0, 2 * std::int64_t{machine.kernel_bank_stride()}, "kernel", what);
}

std::int64_t macs_of(const VectorEntry& vector, const Machine& machine) {
  if (vector.word->opcode != Opcode::mac) return 0;
  const std::int64_t one = vector.word->length * std::int64_t{std::popcount(static_cast<unsigned>(mask_of(vector)))};
  if (vector.configuration.lanes) return one;
  return one * machine.vmacs * (vector.word->mode ? machine.macs : 1);
}

}  // namespace convscope::snowflake::simulation
