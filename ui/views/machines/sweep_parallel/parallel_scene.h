#pragma once
// A sweep's rows as lines over parallel axes, one axis a column (Inselberg, A.: "The Plane with Parallel Coordinates",
// The Visual Computer 1, 1985).

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ui/model/exploration.h"
#include "ui/views/machines/sweep_plot/colour_coding.h"
#include "ui/views/machines/sweep_plot/plot_scale.h"
#include "ui/views/machines/sweep_plot/sweep_text.h"

namespace convscope::ui {

/// Where rows cross an axis that have no value there: below its foot.
inline constexpr float share_of_nothing = -0.07F;

struct ParallelAxis {
  const explore::SweepColumn* column = nullptr;
  PlotScale scale;
  bool flipped = false, has_gaps = false;
  std::vector<float> shares;  ///< of each row: 0 at the foot, 1 at the top, `share_of_nothing` without a value

  double share(double place) const;
  double place(double share) const;
  /// Of a value; nothing if it has no place.
  std::optional<double> share_of(double value) const;
};

/// The axes alone: brushes don't change them.
struct ParallelAxes {
  std::shared_ptr<const explore::SweepTable> table;
  ParallelLook look;
  std::vector<ParallelAxis> axes;
  bool has_gaps = false;
};

class ParallelScene {
 public:
  /// The table must have rows. Takes over the axes of the scene before, if they are the same.
  ParallelScene(const std::shared_ptr<const explore::SweepTable>& table, SweepLook look,
                const std::optional<OpenMachine>& open, const ParallelScene* before = nullptr);
  ParallelScene(const ParallelScene&) = delete;
  ParallelScene& operator=(const ParallelScene&) = delete;

  const explore::SweepTable& table() const { return *axes_->table; }
  const SweepLook& look() const { return look_; }
  const std::vector<ParallelAxis>& axes() const { return axes_->axes; }
  const std::shared_ptr<const ParallelAxes>& axes_pointer() const { return axes_; }
  const ColourCoding& colours() const { return colours_; }
  /// Index of each row's colour.
  const std::vector<std::uint8_t>& tones() const { return tones_; }
  /// Rows within all brushes, and those of them on the front, ascending.
  const std::vector<std::uint32_t>& within() const { return within_; }
  const std::vector<std::uint32_t>& front() const { return front_; }
  bool brushed() const { return within_.size() < table().rows(); }
  const std::optional<std::size_t>& open() const { return open_; }
  const std::vector<std::optional<std::size_t>>& chosen() const { return chosen_; }
  /// The axis' brush; null if it has none.
  const BrushRange* brush(std::size_t axis) const;

  /// The row within brushes whose line is nearest to a share of the axes' height, `part` of the way from an axis to the
  /// next; front ones are found from twice as far. Cost: a pass over the rows.
  std::optional<std::size_t> nearest(std::size_t axis, double part, double share, double reach) const;

 private:
  SweepLook look_;
  std::shared_ptr<const ParallelAxes> axes_;
  ColourCoding colours_;
  std::vector<std::uint8_t> tones_;
  std::vector<std::uint32_t> within_, front_;
  std::optional<std::size_t> open_;
  std::vector<std::optional<std::size_t>> chosen_;
};

/// Whether a column has an axis. Unless the user says otherwise these do: what varies of the machine, the objectives of
/// the front, utilization and traffic; not the many figures that say the same in other words.
bool is_axis_shown(const explore::SweepTable& table, const explore::SweepColumn& column, const ParallelLook& look);
void show_axis(SweepLook& look, const std::string& column, bool shown);
/// Keys of the columns in the order of the axes, each once.
std::vector<std::string> axis_order(const explore::SweepTable& table, const ParallelLook& look);

}  // namespace convscope::ui
