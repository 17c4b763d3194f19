#pragma once
// What views of a sweep, of what helps most, and of quantization draw besides the results: columns on axes, brushes,
// chosen points.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/artifact/quantization.h"
#include "core/explore/results/sweep_table.h"
#include "core/explore/sensitivity/sensitivity.h"
#include "core/reference/image_folder.h"

namespace convscope::ui {

struct BrushRange {
  double from = 0, to = 0;  ///< both within; of a choice the value's number
  bool operator==(const BrushRange&) const = default;
};

/// Axes of parallel coordinates, by column.
struct ParallelLook {
  std::vector<std::string> order;  ///< from the left; columns that it doesn't name follow in the table's order
  std::set<std::string> flipped;   ///< the least value on top
  std::set<std::string> logarithmic;
  std::set<std::string> hidden;
  std::set<std::string> shown = {};  ///< of those that are left out unless somebody asks for them
  bool operator==(const ParallelLook&) const = default;
};

/// How a sweep is looked at. All views of it share one; a value.
struct SweepLook {
  std::string x, y;          ///< columns of the scatter chart; empty: the first two objectives
  std::string colour, size;  ///< columns; empty: none
  bool logarithmic_x = false, logarithmic_y = false;
  std::map<std::string, BrushRange> brushes;  ///< by column: rows outside of any are dimmed everywhere
  std::vector<std::uint64_t> chosen;          ///< points that the user marked, the last one last; at most two
  ParallelLook parallel;
  bool operator==(const SweepLook&) const = default;

  /// True if the row lies within every brush. Columns that the table hasn't got don't count.
  bool within(const explore::SweepTable& table, std::size_t row) const;
  /// The same for every row at once, much faster: 1 for each row within.
  std::vector<std::uint8_t> rows_within(const explore::SweepTable& table) const;
};

/// What helps most, for one machine and network.
struct SensitivityRun {
  std::shared_ptr<const network::Network> network;
  std::shared_ptr<const target::Target> target;
  arch::ParameterValues machine;
  std::string level;
  explore::Sensitivity result;  ///< while it runs: the changes that are compiled
  bool complete = false;
};

/// What a user chooses of a quantization.
struct QuantizationWish {
  int bits = 16;
  double percentile = 100;  ///< of a tensor's magnitudes that its format holds
  bool per_filter = false;
  reference::ImageFolder images;  ///< to calibrate and measure with; without a path: made-up inputs
  int inputs = 4;                 ///< so many are made up
  bool operator==(const QuantizationWish&) const = default;
};

/// A network in fixed point.
struct QuantizationRun {
  std::shared_ptr<const network::Network> network;
  QuantizationWish wish;
  std::shared_ptr<const artifact::Quantization> result;  ///< null while it runs, and if it failed
  double fraction = 0;                                   ///< how far it is
  std::string failure;                                   ///< why there is no result; empty while it runs
};

/// What a snapshot holds of the exploration; all may be null.
struct ExplorationState {
  std::shared_ptr<const explore::SweepTable> sweep;
  SweepLook look;
  std::shared_ptr<const SensitivityRun> sensitivity;
  bool analyzing = false;  ///< what helps most is being measured
  std::shared_ptr<const QuantizationRun> quantization;
  bool quantizing = false;
  QuantizationWish quantization_wish;  ///< chosen for the next one
};

}  // namespace convscope::ui
