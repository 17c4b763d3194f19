#pragma once
// Published figures and tables made again: a list, the chosen one as a table and a chart, and ways to take it along.

#include <QWidget>

#include "core/base/diagnostic.h"
#include "ui/document/workbench.h"
#include "ui/published_figures/figure_chart.h"
#include "ui/published_figures/figure_maker.h"
#include "ui/published_figures/figure_model.h"

class QComboBox;
class QCustomPlot;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSplitter;
class QTableView;

namespace convscope::ui {

class FiguresWindow : public QWidget {
  Q_OBJECT
 public:
  explicit FiguresWindow(Workbench& workbench, QWidget* parent = nullptr);

  /// Makes and shows a figure of figures::figure_list(); does nothing for an unknown id.
  void choose(const QString& id);
  const FigureModel& model() const { return *model_; }
  FigureMaker& maker() { return *maker_; }

  /// .csv and .json are the table, .png, .svg and .pdf the chart. False, with a diagnostic, if that can't be.
  bool export_figure(const QString& file, Diagnostics& diagnostics) const;
  /// The whole table, tabs between cells.
  void copy() const;

 private:
  QWidget* build_head();
  QWidget* build_body();
  QWidget* build_foot();
  void start();
  void show_figure(const figures::Figure& figure);
  void show_message(const QString& message);
  void show_progress(double fraction, const QString& activity);
  void refresh_buttons();
  void refresh_chart();
  void show_reading(QPointF point, const QPoint& global);
  void ask_for_file();

  Workbench& workbench_;
  FigureMaker* maker_;
  FigureModel* model_;
  QListWidget* list_ = nullptr;
  QLabel *title_ = nullptr, *source_ = nullptr, *notes_ = nullptr, *message_ = nullptr;
  QTableView* table_ = nullptr;
  QComboBox* series_ = nullptr;
  QCustomPlot* plot_ = nullptr;
  QSplitter* split_ = nullptr;
  QWidget* chart_box_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton *cancel_ = nullptr, *copy_ = nullptr, *export_ = nullptr;
  std::vector<FigureSeries> found_series_;
  std::shared_ptr<const Chart> chart_;
};

/// The one window of figures that belongs to `parent`: made when first asked for, then brought to the front.
FiguresWindow* show_figures_window(Workbench& workbench, QWidget* parent);

}  // namespace convscope::ui
