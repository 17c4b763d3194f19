#include "core/snowflake/simulate/machine_data.h"

#include <algorithm>
#include <limits>

namespace convscope::snowflake::simulation {
namespace {

constexpr int accumulator_bits = 48;

std::int64_t wrapped(std::uint64_t sum) {
  constexpr int unused = 64 - accumulator_bits;
  return static_cast<std::int64_t>(sum << unused) >> unused;
}

/// sat16((sum + (added << n) + half) >> n), then ReLU.
std::int16_t result_of(std::int64_t sum, std::int64_t added, const Configuration& configuration) {
  const int n = configuration.fraction;
  const std::int64_t half = n > 0 ? std::int64_t{1} << (n - 1) : 0;
  const std::int64_t rounded = wrapped(static_cast<std::uint64_t>(sum) + (static_cast<std::uint64_t>(added) << n) +
                                       static_cast<std::uint64_t>(half)) >>
                               n;
  using Word = std::numeric_limits<std::int16_t>;
  const std::int64_t low = configuration.relu ? 0 : Word::min();
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(rounded, low, Word::max()));
}

}  // namespace

MachineData::MachineData(const Machine& machine, std::span<std::int16_t> dram, OutputSink* sink)
    : machine_(machine), dram_(dram), sink_(sink) {
  const std::size_t lanes = index(machine.macs);
  const VectorMac vmac{std::vector<std::int16_t>(2 * index(machine.kernel_bank_stride())),
                       std::vector<std::int64_t>(lanes), std::vector<std::int16_t>(lanes),
                       std::vector<std::int16_t>(lanes)};
  vmacs_.assign(index(machine.cus * machine.vmacs), vmac);
  maps_.assign(index(machine.cus), std::vector<std::int16_t>(2 * index(machine.maps_bank_words)));
}

void MachineData::load(const LoadEntry& load) {
  if (load.target == LoadTarget::instructions) return;
  const auto from = dram_.begin() + load.dram_word;
  for (int cu = 0; cu < machine_.cus; ++cu) {
    if ((load.cus >> cu & 1) == 0) continue;
    auto& buffer = load.target == LoadTarget::maps ? maps_[index(cu)] : vmac_at(cu, load.vmac).kernels;
    std::copy(from, from + load.words, buffer.begin() + load.buffer_word);
  }
}

void MachineData::execute(const VectorEntry& vector) {
  const Opcode opcode = vector.word->opcode;
  if (opcode != Opcode::vmov && anew_) start_anew(opcode == Opcode::max);
  for (int cu = 0; cu < machine_.cus; ++cu)
    if ((vector.configuration.cus >> cu & 1) != 0) execute_on(vector, cu);
  if (!vector.word->writes_back) return;
  anew_ = true;
  for (VectorMac& vmac : vmacs_) std::ranges::fill(vmac.bypass, std::int16_t{0});
}

void MachineData::start_anew(bool maximum) {
  const std::int64_t first = maximum ? std::numeric_limits<std::int16_t>::min() : 0;
  for (VectorMac& vmac : vmacs_) std::ranges::fill(vmac.accumulators, first);
  anew_ = false;
}

void MachineData::execute_on(const VectorEntry& vector, int cu) {
  if (vector.word->opcode == Opcode::vmov) return move(vector, cu);
  if (vector.word->opcode == Opcode::max || vector.configuration.lanes)
    lanes(vector, cu);
  else if (vector.word->mode)
    multiply_independent(vector, cu);
  else
    multiply_cooperative(vector, cu);
  if (vector.word->writes_back) write_back(vector, cu);
}

void MachineData::move(const VectorEntry& vector, int cu) {
  const bool bypass = vector.word->mode;
  const std::ptrdiff_t words = bypass ? vector.maps.words / machine_.vmacs : vector.kernels.words;
  for (int v = 0; v < machine_.vmacs; ++v) {
    VectorMac& vmac = vmac_at(cu, v);
    if (bypass) {
      const auto from =
          maps_[index(cu)].begin() + vector.maps.first + vector.maps_cu_step * std::ptrdiff_t{cu} + words * v;
      std::copy(from, from + words, vmac.bypass.begin());
    } else {
      const auto from = vmac.kernels.begin() + vector.kernels.first;
      std::copy(from, from + words, vmac.bias.begin());
    }
  }
}

void MachineData::multiply_cooperative(const VectorEntry& vector, int cu) {
  const std::int16_t* maps = maps_[index(cu)].data() + vector.maps.first;
  for (int v = 0; v < machine_.vmacs; ++v) {
    VectorMac& vmac = vmac_at(cu, v);
    const std::int16_t* kernel = vmac.kernels.data() + vector.kernels.first;
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < vector.maps.words; ++i) sum += std::int32_t{maps[i]} * kernel[i];
    vmac.accumulators[0] += sum;
  }
}

void MachineData::multiply_independent(const VectorEntry& vector, int cu) {
  const std::int16_t* maps = maps_[index(cu)].data() + vector.maps.first;
  for (int v = 0; v < machine_.vmacs; ++v) {
    VectorMac& vmac = vmac_at(cu, v);
    const std::int16_t* kernel = vmac.kernels.data() + vector.kernels.first;
    for (std::int64_t i = 0; i < vector.maps.words; ++i, kernel += machine_.macs)
      for (std::size_t j = 0; j < vmac.accumulators.size(); ++j)
        vmac.accumulators[j] += std::int32_t{maps[i]} * kernel[j];
  }
}

// MAX, and MAC with one weight: vectors of the maps, lane by lane.
void MachineData::lanes(const VectorEntry& vector, int cu) {
  VectorMac& vmac = vmac_at(cu, 0);
  const bool maximum = vector.word->opcode == Opcode::max;
  const std::int32_t weight = maximum ? 1 : vmac.kernels[static_cast<std::size_t>(vector.kernels.first)];
  const std::int16_t* maps = maps_[index(cu)].data() + vector.maps.first;
  const std::int64_t positions = vector.word->length / machine_.macs;
  const std::int64_t step = std::int64_t{std::max(1, vector.configuration.hop)} * machine_.macs;
  for (std::int64_t k = 0; k < positions; ++k)
    for (std::size_t j = 0; j < vmac.accumulators.size(); ++j) {
      const std::int64_t word = std::int64_t{maps[k * step + static_cast<std::int64_t>(j)]} * weight;
      std::int64_t& sum = vmac.accumulators[j];
      sum = maximum ? std::max(sum, word) : sum + word;
    }
}

void MachineData::write_back(const VectorEntry& vector, int cu) {
  const bool lanes = vector.word->opcode == Opcode::max || vector.configuration.lanes;
  Configuration configuration = vector.configuration;
  if (vector.word->opcode == Opcode::max) configuration.fraction = 0;
  const int words_of_vmac = lanes || vector.word->mode ? machine_.macs : 1;
  result_.clear();
  for (int v = 0; v < (lanes ? 1 : machine_.vmacs); ++v) {
    const VectorMac& vmac = vmac_at(cu, v);
    for (std::size_t j = 0; j < index(words_of_vmac); ++j) {
      const std::int64_t added = lanes ? 0 : std::int64_t{vmac.bias[j]} + vmac.bypass[j];
      result_.push_back(result_of(vmac.accumulators[j], added, configuration));
    }
  }
  const std::int64_t to = vector.output.first + vector.output.stride * cu;
  std::ranges::copy(result_, dram_.begin() + to);
  if (sink_ != nullptr) sink_->written(vector.word->layer, to, result_);
}

}  // namespace convscope::snowflake::simulation
