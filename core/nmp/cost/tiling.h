#pragma once
// A point of the search space (Algorithms 1 to 3).

#include <compare>
#include <cstdint>
#include <string_view>

namespace convscope::nmp {

/// What TLEs share out among themselves (Algorithm 2).
enum class Partition {
  filters,
  filters_and_rows,
  rows,
  channels  ///< each TLE adds up its own input maps, and one TLE what all of them have (left to the future there)
};
/// What a TLT keeps while it goes on (section IV-D).
enum class Schedule { input_stationary, output_stationary, weight_stationary };

/// The paper's.
inline constexpr Partition partitions[] = {Partition::filters, Partition::filters_and_rows, Partition::rows};
inline constexpr Schedule schedules[] = {Schedule::input_stationary, Schedule::output_stationary,
                                         Schedule::weight_stationary};

/// The paper's names: KS, KS&OFM, OFM; IS, OS, WS. Of channels: IFM.
std::string_view name_of(Partition partition);
std::string_view name_of(Schedule schedule);

struct Tiling {
  Partition partition = Partition::filters;
  Schedule schedule = Schedule::input_stationary;
  int rows = 1, columns = 1;  ///< T_R, T_C: outputs
  int channels = 1;           ///< T_N
  int units = 1;              ///< T_M: filters (or groups, if depthwise) of one TLT
  // NOLINTNEXTLINE(modernize-use-nullptr): the linter of Clang 14 mistakes the comparison
  auto operator<=>(const Tiling&) const = default;
};

/// TLEs along the filters, along the rows and along the channels.
struct TleGrid {
  int filters = 1, rows = 1, channels = 1;
};
/// KS&OFM takes the most square division of all TLEs; the paper's 2 x 2 of 4.
TleGrid tle_grid(Partition partition, int tles);

}  // namespace convscope::nmp
