#pragma once
// The figures of a moment beside a network's drawing: what each box costs, whether a target can do it.

#include <QString>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare_figures.h"
#include "ui/model/view.h"
#include "ui/views/network/network_graph/network_drawing.h"

namespace convscope::ui {

/// How a target sees a box.
enum class BoxState { unknown, mapped, partly, unmapped };

/// What colours the boxes: the kind of operator, or a cost from the least to the most.
enum class BoxColour { kind, macs, cycles, seconds, utilization, bytes };
inline constexpr std::array box_colours = {BoxColour::kind,    BoxColour::macs,        BoxColour::cycles,
                                           BoxColour::seconds, BoxColour::utilization, BoxColour::bytes};
/// For people, e.g. "Utilization".
QString box_colour_name(BoxColour colour);

/// Sums over the layers of a box; utilization is busy share of the cycles, and nothing without cycles.
struct BoxCosts {
  std::int64_t macs = 0, bytes = 0;  ///< bytes moved to and from the machine, weights included
  double cycles = 0, seconds = 0;
  std::optional<double> utilization;
  bool stale = false;  ///< of the run before
};

/// Least and largest cost of all boxes; a scale from 0 to 1 for utilization, a logarithmic one for the others.
struct CostRange {
  double least = 0, largest = 0;
  bool logarithmic = true;
  /// 0..1; the middle if all are the same.
  double share(double cost) const;
};

class NetworkGraphScene {
 public:
  NetworkGraphScene(std::shared_ptr<const NetworkDrawing> drawing, const Snapshot& snapshot,
                    BoxColour colour = BoxColour::kind);

  const NetworkDrawing& drawing() const { return *drawing_; }
  /// Result of a layer, from the run before if need be; may be null.
  const target::CompiledLayer* result(int layer) const;
  BoxColour colour() const { return colour_; }
  const BoxCosts& costs(int box) const { return costs_[static_cast<std::size_t>(box)]; }
  /// True if a box shows figures of the run before.
  bool any_stale() const;
  /// The cost that colours; nothing if it is unknown, or boxes are coloured by kind.
  std::optional<double> cost(int box) const;
  /// Nothing if no box has a cost.
  const std::optional<CostRange>& range() const { return range_; }
  /// With its unit.
  QString cost_text(double cost) const;
  /// Cycles, or seconds where clocks differ, of the box's layers against the baseline's; nothing without a baseline, or
  /// where none of the layers can be compared.
  const std::optional<analysis::FigureDifference>& difference(int box) const {
    return differences_[static_cast<std::size_t>(box)];
  }
  /// Name of the baseline; empty if there is none.
  const QString& baseline() const { return baseline_; }
  /// The figure that is compared: "cycles" or "seconds".
  const std::string& difference_key() const { return difference_key_; }
  /// By the layers that multiply; by the first if none does.
  BoxState state(int box) const { return states_[static_cast<std::size_t>(box)]; }
  QString title(int box) const;
  QString operators(int box) const;
  QString shape(int box) const;
  /// MACs, and cycles (seconds, bytes if these colour) and utilization once compiled.
  QString figures(int box) const;
  QString reading(int box) const;
  /// Boxes with a layer whose name or operator contains the text, case aside.
  std::vector<int> search(const QString& text) const;
  std::string csv() const;

 private:
  BoxState find_state(int box) const;
  BoxCosts find_costs(int box) const;
  void find_range();
  void find_differences(const Snapshot& snapshot);
  QString layer_reading(int layer) const;
  std::string difference_fields(int layer) const;

  std::shared_ptr<const NetworkDrawing> drawing_;
  std::vector<std::shared_ptr<const target::CompiledLayer>> results_;
  std::vector<bool> stale_;  ///< by layer
  BoxColour colour_;
  std::vector<BoxState> states_;
  std::vector<BoxCosts> costs_;
  std::optional<CostRange> range_;
  QString baseline_;
  std::string difference_key_;
  std::vector<std::optional<analysis::FigureDifference>> differences_;        ///< by box
  std::vector<std::optional<analysis::FigureDifference>> layer_differences_;  ///< by layer; empty without a baseline
};

}  // namespace convscope::ui
