#include "core/snowflake/simulate/periods.h"

#include <algorithm>

namespace convscope::snowflake::simulation {

void Periods::spend(std::size_t on, std::int64_t from, std::int64_t until) {
  const Stretch stretch{on, from * ticks_per_cycle, until * ticks_per_cycle};
  spent_[on] += stretch.until - stretch.from;
  last_[last_count_++] = stretch;
  for (const std::size_t layer : early_) {
    End& end = ends_[layer];
    end.spent[on] += std::clamp<Tick>(end.at - stretch.from, 0, stretch.until - stretch.from);
  }
}

void Periods::busy(std::int64_t from, std::int64_t until) {
  spend(vector_stalls, from, until);
  early_.clear();
}

void Periods::stored(std::size_t layer, Tick at) {
  End& end = ends_[layer];
  end = {at, spent_};
  for (std::size_t i = 0; i < last_count_; ++i)
    end.spent[last_[i].on] -= std::clamp<Tick>(last_[i].until - at, 0, last_[i].until - last_[i].from);
  if (std::find(early_.begin(), early_.end(), layer) == early_.end()) early_.push_back(layer);
}

std::vector<Period> Periods::by_layer() const {
  std::vector<Period> periods;
  const auto cycles = [](Tick ticks) { return static_cast<double>(ticks) / ticks_per_cycle; };
  End before;
  for (const End& end : ends_) {
    Period& period = periods.emplace_back();
    if (end.at <= before.at) continue;
    for (std::size_t cause = 0; cause < vector_stalls; ++cause)
      period.idle_cycles[cause] = cycles(end.spent[cause] - before.spent[cause]);
    period.busy_cycles = cycles(end.spent[vector_stalls] - before.spent[vector_stalls]);
    before = end;
  }
  return periods;
}

}  // namespace convscope::snowflake::simulation
