#pragma once
// Grouped and stacked bars per layer, with the whole network as last group.

#include <QString>
#include <QStringList>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/artifact/operation.h"
#include "core/base/quantity.h"
#include "ui/plot/chart.h"

namespace convscope::ui {

/// How a bar is filled: by a chart series, by a published figure's pattern, by a kind of operation, or as a pinned run.
struct BarFill {
  enum class Kind { series, baseline, operation, pinned } kind = Kind::series;
  int index = 0;         ///< series, pattern, or artifact::OperationClass
  bool hatched = false;  ///< of a pinned run, which keeps the colours of parts
  int hatching = 0;      ///< which one, by pinned run
};

/// Of bars, or of lines in their place.
QColor colour_of(const BarFill& fill, const Theme& theme);

struct BarPart {
  QString name;  ///< legend entry; parts of the same name share one
  BarFill fill;
  std::vector<double> values;  ///< one per category; NaN where there is none
};

/// Parts on top of each other; stacks stand side by side in each category.
struct BarStack {
  QString name;  ///< e.g. the level
  Origin origin = Origin::derived;
  bool current = false;   ///< outlined: the run that the other views show
  bool labelled = false;  ///< its name is written above its bars
  std::vector<BarPart> parts;
  QString label = {};               ///< what is written above its bars; empty: the name
  std::vector<QString> notes = {};  ///< more lines for readings, one text per category; may be empty
};

struct BarCategory {
  QString name;
  int layer = -1;  ///< -1: the whole network
};

inline constexpr double no_bar = std::numeric_limits<double>::quiet_NaN();

/// Of a plot, in pixels: in a lower one names above bars would leave no room for bars.
inline constexpr int least_labelled_height = 260;
inline constexpr int least_labelled_height_without_names = 170;  ///< with neither names nor legend below

class BarChart : public Chart {
 public:
  QString value_label;  ///< title of the value axis, with its unit
  QString unit;         ///< in readings
  QString category_label = QStringLiteral("layer");
  double full = no_bar;  ///< value that is all there can be, e.g. 100 %: the axis has no ticks above; NaN: none
  std::vector<BarCategory> categories;
  std::vector<BarStack> stacks;
  int selected_layer = -1;
  /// Values add up: beside the total of many layers each of them would vanish, so it is left out of the picture then.
  bool sums = false;
  /// One chart stands above another of the same categories: the lower one has names and legend for both.
  bool above_another = false;
  bool aligned = false;  ///< axes begin where those of the chart above or below do

  /// Categories that are drawn; CSV has all.
  std::size_t drawn() const;
  void fill(QCustomPlot& plot, const Theme& theme) const override;
  std::vector<ChartTarget> targets(const QCustomPlot& plot) const override;
  /// Sideways, where the layers are too many for one screen.
  Qt::Orientations zooms() const override;
  void open(QCustomPlot& plot) const override;
  std::optional<ChartSpan> span() const override;
  QSizeF preferred_size() const override;
  std::string csv() const override;

 private:
  double highest() const;
  /// Height of the axis in heights of the highest bar, so that what stands above bars fits.
  double label_room(const QCustomPlot& plot) const;
  /// Whether names fit above bars, in the height that there is and at a common width.
  bool labels_fit(const QCustomPlot& plot) const;
  double stack_width() const;
  /// Names are turned where they would not fit side by side.
  bool names_fit(const QCustomPlot& plot) const;
  /// Pixels by which the last name, turned, hangs out to the right: one beyond the edge would not be drawn.
  int hanging_name(const QCustomPlot& plot) const;
  void fill_axes(QCustomPlot& plot, const Theme& theme) const;
  void mark_selection(QCustomPlot& plot, const Theme& theme) const;
  void label_stacks(QCustomPlot& plot, const Theme& theme) const;
  void add_parts(QCustomPlot& plot, const Theme& theme, std::size_t stack, QStringList& named) const;
  /// What tells stacks of the same parts apart.
  void add_stacks_to_legend(QCustomPlot& plot, const Theme& theme) const;
  double stack_centre(std::size_t category, std::size_t stack) const;
};

/// Layers of a run that have results or MACs, then the whole network.
std::vector<BarCategory> bar_categories(const engine::CompiledNetwork& run);

/// The shown run and those at other levels, each level once, in the target's order.
std::vector<std::shared_ptr<const engine::CompiledNetwork>> runs_by_level(const Snapshot& snapshot);
QString level_title(const engine::CompiledNetwork& run);
/// Position of a run's level in its target's list: its colour, which so is the same in every chart.
int level_index(const engine::CompiledNetwork& run);
/// Metrics of a category; null if that layer has none.
const artifact::Metrics* category_metrics(const engine::CompiledNetwork& run, const BarCategory& category);

}  // namespace convscope::ui
