#include "core/snowflake/simulate/result.h"

#include <algorithm>
#include <numeric>

namespace convscope::snowflake {

namespace {

template <std::size_t count>
void add(std::array<std::int64_t, count>& to, const std::array<std::int64_t, count>& from) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

RunStatistics& RunStatistics::operator+=(const RunStatistics& other) {
  instructions += other.instructions;
  vector_instructions += other.vector_instructions;
  macs += other.macs;
  vector_cycles += other.vector_cycles;
  loads += other.loads;
  add(vector_stall_cycles, other.vector_stall_cycles);
  add(control_stall_cycles, other.control_stall_cycles);
  add(bytes, other.bytes);
  return *this;
}

std::int64_t RunStatistics::all_bytes() const {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

double load_imbalance(const std::vector<LoadSection>& sections, int units, int layer) {
  double sum = 0;
  int count = 0;
  for (const LoadSection& section : sections) {
    const auto all = std::accumulate(section.bytes.begin(), section.bytes.end(), std::int64_t{0});
    if (all == 0 || (layer >= 0 && section.layer != layer)) continue;
    const double mean = static_cast<double>(all) / units;
    sum += static_cast<double>(*std::ranges::max_element(section.bytes)) / mean - 1;
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

}  // namespace convscope::snowflake
