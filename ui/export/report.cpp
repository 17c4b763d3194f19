#include "ui/export/report.h"

#include <QAbstractTextDocumentLayout>
#include <QMarginsF>
#include <QPageSize>
#include <QTextDocument>
#include <algorithm>
#include <utility>

#include "core/base/atomic_file.h"
#include "ui/export/report_text.h"
#include "ui/views/message_painter.h"

namespace convscope::ui {
namespace {

constexpr int dots_per_inch = 96;  // one dot is one logical pixel
constexpr double footer_height = 20;
constexpr double smallest_scale = 0.6;
constexpr double text_scale = 0.6;  // wide layer tables fit a page's width

QSizeF page_size(const QPdfWriter& writer) {
  return {static_cast<double>(writer.width()), static_cast<double>(writer.height())};
}

/// Where text and views go: the page without its footer.
QRectF body(const QPdfWriter& writer) {
  return {QPointF(), page_size(writer) - QSizeF(0, footer_height)};
}

/// A view at its own size, made smaller to fit the page as far as that stays legible; of what is larger still, the
/// view shows what it shows in a small window.
void draw_fitted(QPainter& painter, const ViewPainter& view, const QRectF& area, const Theme& theme) {
  const QSizeF wanted = view.preferred_size().expandedTo(area.size());
  const double scale =
      std::max(smallest_scale, std::min(area.width() / wanted.width(), area.height() / wanted.height()));
  painter.save();
  painter.translate(area.topLeft());
  painter.scale(scale, scale);
  view.paint(painter, QRectF(QPointF(), area.size() / scale), theme);
  painter.restore();
}

}  // namespace

ReportWriter::ReportWriter(ReportContent content)
    : content_(std::move(content)), theme_(light_theme()), buffer_(&bytes_) {
  buffer_.open(QIODevice::WriteOnly);
  writer_ = std::make_unique<QPdfWriter>(&buffer_);
  writer_->setTitle(content_.snapshot.network ? QString::fromStdString(content_.snapshot.network->name) : QString());
  writer_->setCreator(QStringLiteral("ConvScope"));
  writer_->setResolution(dots_per_inch);
  writer_->setPageSize(QPageSize(QPageSize::A4));
  writer_->setPageOrientation(QPageLayout::Landscape);
  writer_->setPageMargins(QMarginsF(12, 12, 12, 12), QPageLayout::Millimeter);
  text_ = std::make_unique<QTextDocument>();
  text_->documentLayout()->setPaintDevice(writer_.get());
  text_->setDefaultFont(theme_.label_font());
  text_->setDocumentMargin(0);
  text_->setHtml(report_text(content_));
  text_->setPageSize(body(*writer_).size() / text_scale);
  text_pages_ = text_->pageCount();
}

ReportWriter::~ReportWriter() {
  if (painter_) painter_->end();  // before its device goes
}

int ReportWriter::steps() const {
  return text_pages_ + static_cast<int>(view_entries().size());
}

bool ReportWriter::step() {
  if (done_ == steps()) return false;
  const int step = done_++;
  if (step < text_pages_) {
    draw_text_page(step);
  } else {
    draw_view(view_entries()[static_cast<std::size_t>(step - text_pages_)]);
  }
  return true;
}

void ReportWriter::begin_page() {
  if (painter_) writer_->newPage();
  if (!painter_) painter_ = std::make_unique<QPainter>(writer_.get());
  ++page_;
}

void ReportWriter::draw_text_page(int page) {
  begin_page();
  const QSizeF size = text_->pageSize();
  painter_->save();
  painter_->scale(text_scale, text_scale);
  painter_->translate(0, -page * size.height());
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = theme_.palette();
  context.clip = QRectF(0, page * size.height(), size.width(), size.height());
  painter_->setClipRect(context.clip);
  text_->documentLayout()->draw(painter_.get(), context);
  painter_->restore();
  draw_footer({});
}

void ReportWriter::draw_view(const ViewEntry& view) {
  const auto painter = view.make_painter(content_.snapshot);
  if (dynamic_cast<const MessagePainter*>(painter.get()) != nullptr) return;  // nothing to show
  begin_page();
  const double heading = 28;
  painter_->setFont(theme_.label_font(1.4));
  painter_->setPen(theme_.text);
  painter_->drawText(body(*writer_).adjusted(0, 0, 0, -1), Qt::AlignLeft | Qt::AlignTop, view.title);
  draw_fitted(*painter_, *painter, body(*writer_).adjusted(0, heading, 0, 0), theme_);
  draw_footer(view.help);
}

void ReportWriter::draw_footer(const QString& text) {
  const QSizeF page = page_size(*writer_);
  const QRectF area(0, page.height() - footer_height, page.width(), footer_height);
  painter_->setFont(theme_.label_font(0.75));
  painter_->setPen(theme_.muted_text);
  const QString number = QString::number(page_);
  painter_->drawText(area, Qt::AlignRight | Qt::AlignBottom, number);
  const QFontMetricsF metrics(painter_->font(), writer_.get());
  painter_->drawText(area, Qt::AlignLeft | Qt::AlignBottom,
                     metrics.elidedText(text, Qt::ElideRight, area.width() - 80));
}

QByteArray ReportWriter::finish() {
  if (painter_) painter_->end();
  painter_.reset();
  writer_.reset();
  buffer_.close();
  return bytes_;
}

bool export_report(ReportContent content, const QString& file, Diagnostics& diagnostics) {
  ReportWriter writer(std::move(content));
  while (writer.step()) {
  }
  return write_file_atomically(file.toStdString(), writer.finish().toStdString(), diagnostics);
}

}  // namespace convscope::ui
