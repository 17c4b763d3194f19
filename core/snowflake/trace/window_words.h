#pragma once
// The words of the map buffers that a vector instruction reads, in its order.

#include "core/snowflake/architecture/machine.h"
#include "core/snowflake/trace/trace_log.h"

namespace convscope::snowflake {

class WindowWords {
 public:
  WindowWords(const TraceLog::Vector& vector, const Machine& machine) : vector_(vector), machine_(machine) {}

  /// 0 of a CU that doesn't take part.
  std::int64_t count(int cu) const {
    return (vector_.entry.configuration.cus >> cu & 1) == 0 ? 0 : vector_.entry.maps.words * vector_.entry.maps.count;
  }
  std::int64_t buffer_word(int cu, std::int64_t index) const {
    const simulation::Pieces& maps = vector_.entry.maps;
    return maps.first + std::int64_t{vector_.entry.maps_cu_step} * cu + maps.step * (index / maps.words) +
           index % maps.words;
  }
  /// That takes it in this cycle: a vector a cycle, or, of independent MACs, one word for all; -1: none.
  std::int32_t lane(std::int64_t index, std::int64_t cycle) const {
    const simulation::CodeWord& word = *vector_.entry.word;
    if (word.opcode == Opcode::vmov) return -1;
    const bool one = word.opcode == Opcode::mac && word.mode && !vector_.entry.configuration.lanes;
    const std::int64_t step = cycle - vector_.start;
    if (one) return index == step ? 0 : -1;
    return index / machine_.macs == step ? static_cast<std::int32_t>(index % machine_.macs) : -1;
  }

 private:
  const TraceLog::Vector& vector_;
  const Machine& machine_;
};

}  // namespace convscope::snowflake
