#pragma once
// Published figures and tables made again: a list, the chosen one as a table and a chart, and ways to take it along.

#include <QWidget>

#include "core/base/diagnostic.h"
#include "ui/model/view_host.h"
#include "ui/published_figures/figure_chart_box.h"
#include "ui/published_figures/figure_maker.h"
#include "ui/published_figures/figure_model.h"

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
  FiguresWindow(ViewHost& host, catalogue::CataloguePointer catalogue, QWidget* parent = nullptr);

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
  void ask_for_file();

  ViewHost& host_;
  FigureMaker* maker_;
  FigureModel* model_;
  QListWidget* list_ = nullptr;
  QLabel *title_ = nullptr, *source_ = nullptr, *notes_ = nullptr, *message_ = nullptr;
  QTableView* table_ = nullptr;
  QSplitter* split_ = nullptr;
  FigureChartBox* chart_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton *cancel_ = nullptr, *copy_ = nullptr, *export_ = nullptr;
};

/// The one window of figures that belongs to `parent`: made when first asked for, then brought to the front.
FiguresWindow* show_figures_window(ViewHost& host, catalogue::CataloguePointer catalogue, QWidget* parent);

}  // namespace convscope::ui
