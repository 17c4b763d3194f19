#pragma once
// A session on paper: network, machine, totals, messages, the layer table, then every view, as a PDF of A4 pages.

#include <QBuffer>
#include <QByteArray>
#include <QPainter>
#include <QPdfWriter>
#include <memory>

#include "core/arch/parameters.h"
#include "core/base/diagnostic.h"
#include "ui/theme/theme.h"
#include "ui/views/view.h"

class QTextDocument;

namespace convscope::ui {

struct ReportContent {
  Snapshot snapshot;
  arch::ParameterValues machine;
  QString preset;
  Diagnostics messages;
};

/// Written in steps of a page each, so that the window stays alive and a user can stop it. Charts need the window's
/// thread.
class ReportWriter {
 public:
  explicit ReportWriter(ReportContent content);
  ~ReportWriter();

  int steps() const;
  int done() const { return done_; }
  /// Draws the next page; a view that has nothing to show gets none. False if there is none left.
  bool step();
  /// The whole file; call after the last step.
  QByteArray finish();

 private:
  void begin_page();
  void draw_text_page(int page);
  void draw_view(const ViewEntry& view);
  void draw_footer(const QString& text);

  ReportContent content_;
  const Theme& theme_;
  QByteArray bytes_;
  QBuffer buffer_;
  std::unique_ptr<QPdfWriter> writer_;
  std::unique_ptr<QPainter> painter_;
  std::unique_ptr<QTextDocument> text_;
  int text_pages_ = 0, page_ = 0, done_ = 0;
};

/// All steps at once, to a file, atomically. False, with a diagnostic, if it can't be written.
bool export_report(ReportContent content, const QString& file, Diagnostics& diagnostics);

}  // namespace convscope::ui
