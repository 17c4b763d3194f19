#pragma once
// Which load unit takes which load. Source: "Compiling Deep Learning Models …", section 6.3.

#include <vector>

#include "core/snowflake/plan/mapping.h"

namespace convscope::snowflake {

/// One section of loads: each LD goes to the next unit of the mapping's pattern, or to the one with the fewest words.
class UnitChoice {
 public:
  UnitChoice(const Mapping& mapping, int units) : mapping_(mapping), words_(static_cast<std::size_t>(units)) {}

  void add(std::vector<MapLoad>& loads);
  void add(KernelLoad& load);
  void add(FirstLoads& loads);  ///< in the order in which they are issued
  /// Words of each unit.
  const std::vector<std::int64_t>& words() const { return words_; }

 private:
  void add(MapLoad& load) { load.unit = take(mapping_.units.maps, next_map_, load.words); }
  int take(const std::vector<int>& pattern, std::size_t& next, int words);

  const Mapping& mapping_;
  std::vector<std::int64_t> words_;
  std::size_t next_map_ = 0, next_kernel_ = 0;
};

}  // namespace convscope::snowflake
