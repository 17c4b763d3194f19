#pragma once
// A session on paper: network, machine, totals, messages, the layer table, then every view, as a PDF of A4 pages.

#include <QBuffer>
#include <QByteArray>
#include <QPainter>
#include <QPdfWriter>
#include <functional>
#include <memory>
#include <span>

#include "core/arch/parameters.h"
#include "core/base/diagnostic.h"
#include "ui/model/view.h"
#include "ui/theme/theme.h"

class QTextDocument;

namespace convscope::ui {

class LayerRows;
class ReportTable;
class Workbench;

struct ReportContent {
  Snapshot snapshot;
  arch::ParameterValues machine;
  QString preset;
  Diagnostics messages;
  std::span<const ViewEntry> views;  ///< those that get a page, in their order; they outlive the report
};

/// Of what the workbench shows now.
ReportContent report_content(const Workbench& workbench, std::span<const ViewEntry> views);

/// Makes of a view that must be drawn on the window's thread one that may be drawn on any; null if there will be none.
using RecordView = std::function<std::shared_ptr<const ViewPainter>(std::shared_ptr<const ViewPainter>, QSizeF size)>;

/// Written in small steps, so that it can be stopped, on any one thread as long as `record` sees to views that need
/// the window's.
class ReportWriter {
 public:
  ReportWriter(ReportContent content, RecordView record);
  ~ReportWriter();

  /// Prepares some rows, or draws the next page; a view that has nothing to show gets none. False if nothing is left.
  bool step();
  /// How much is done: 0 to 1.
  double fraction() const;
  /// The whole file; call after the last step.
  QByteArray finish();

 private:
  enum class Part { words, rows, word_pages, table_pages, views, done };

  bool next(Part part);
  void prepare_words();
  void prepare_rows();
  void begin_page();
  void draw_word_page(int page);
  void draw_table_page(int page);
  void draw_view(const ViewEntry& view);
  void draw_heading(const QString& text);
  void draw_footer(const QString& text);

  ReportContent content_;
  RecordView record_;
  const Theme& theme_;
  QByteArray bytes_;
  QBuffer buffer_;
  std::unique_ptr<QPdfWriter> writer_;
  std::unique_ptr<QPainter> painter_;
  std::unique_ptr<QTextDocument> words_;
  std::unique_ptr<LayerRows> rows_;
  std::unique_ptr<ReportTable> table_;
  Part part_ = Part::words;
  int done_ = 0;  ///< of the part
  int page_ = 0;
};

/// All steps at once, to a file, atomically; call on the window's thread. False, with a diagnostic, if it can't be
/// written.
bool export_report(ReportContent content, const QString& file, Diagnostics& diagnostics);

}  // namespace convscope::ui
