#include "ui/export/report_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "core/network/network.h"
#include "ui/model/network_words.h"
#include "ui/model/shown_run.h"
#include "ui/words/figures.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

constexpr std::size_t most_messages = 20;

QString escaped(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

QString cell(const QString& text, bool figure) {
  return QStringLiteral("<td align=\"%1\">%2</td>").arg(figure ? "right" : "left", text.toHtmlEscaped());
}

QString table(const QString& rows) {
  return "<table border=\"1\" cellspacing=\"0\" cellpadding=\"2\">" + rows + "</table>";
}

QString title(const ReportContent& content) {
  const auto& network = content.snapshot.network;
  return QStringLiteral("<h1>%1</h1>").arg(network ? escaped(network->name) : translated("No network"));
}

QString figure_text(const QString& figure, Origin origin) {
  return translated("%1 (%2)").arg(figure, origin_text(origin));
}

QString totals(const Snapshot& snapshot) {
  const auto run = network_result(snapshot);
  if (!run) return "<p>" + snapshot.message.toHtmlEscaped() + "</p>";
  QStringList parts{
      escaped(run->target->title()),
      translated("level %1").arg(escaped(run->level)),
      translated("%1 MACs").arg(count_text(run->total.macs)),
      figure_text(translated("%1 cycles").arg(quantity_text(run->total.cycles)), run->total.cycles.origin),
      figure_text(QString::fromStdString(format_quantity(run->total.seconds)), run->total.seconds.origin),
      figure_text(translated("utilization %1").arg(percent_text(run->total.utilization.value)),
                  run->total.utilization.origin),
      coverage_text(*run)};
  if (const QString batch = batch_tip(*run); !batch.isEmpty()) parts << batch.toHtmlEscaped();
  return "<p>" + parts.join(QStringLiteral(" · ")) + "</p>";
}

QString machine(const ReportContent& content) {
  const auto& description = content.machine.description();
  QString rows;
  for (std::size_t index = 0; index < description.parameters.size(); ++index) {
    const auto& parameter = description.parameters[index];
    rows += "<tr>" + cell(QString::fromStdString(parameter.label), false) +
            cell(QString::fromStdString(content.machine.text(index)), true) +
            cell(QString::fromStdString(parameter.unit), false) + "</tr>";
  }
  const QString preset =
      content.preset.isEmpty() ? QString() : translated(" (preset %1)").arg(content.preset.toHtmlEscaped());
  return QStringLiteral("<h2>%1%2</h2>").arg(escaped(description.title), preset) + table(rows);
}

bool has_figures(const Snapshot& snapshot, int layer) {
  const auto result = layer_result(snapshot, layer).layer;
  return result && result->mapped();
}

QString messages(const Diagnostics& diagnostics) {
  if (diagnostics.empty()) return {};
  QString items;
  const auto& all = diagnostics.items();
  const std::size_t shown = std::min(most_messages, all.size());
  for (std::size_t index = 0; index < shown; ++index) items += "<li>" + escaped(all[index].text()) + "</li>";
  const std::size_t more = all.size() - shown;
  if (more > 0) items += "<li>" + translated("and %1 more").arg(more) + "</li>";
  return QStringLiteral("<h2>%1</h2><ul>%2</ul>").arg(translated("Messages"), items);
}

}  // namespace

QString report_text(const ReportContent& content) {
  return title(content) + totals(content.snapshot) + machine(content) + messages(content.messages);
}

LayerRows::LayerRows(const Snapshot& snapshot) : snapshot_(snapshot) {
  if (!snapshot.network) return;
  columns_ = layer_columns(snapshot, *snapshot.network);
  std::erase_if(columns_, [](const LayerColumn& column) { return column.key == "mapping"; });
}

std::vector<ReportTable::Column> LayerRows::columns() const {
  std::vector<ReportTable::Column> columns;
  for (const LayerColumn& each : columns_) columns.push_back({each.title, each.figure});
  return columns;
}

int LayerRows::layers() const {
  return snapshot_.network ? static_cast<int>(snapshot_.network->layers.size()) : 0;
}

std::vector<ReportCell> LayerRows::row(int layer) {
  std::vector<ReportCell> cells;
  if (!has_figures(snapshot_, layer)) return cells;
  for (const LayerColumn& column : columns_) {
    LayerCell cell = column.cell(snapshot_, *snapshot_.network, layer);
    if (cell.origin) seen_.insert(*cell.origin);
    cells.push_back({std::move(cell.text), cell.origin ? origin_mark(*cell.origin) : QString()});
  }
  return cells;
}

QString LayerRows::legend() const {
  QStringList parts;
  for (const Origin each : seen_) parts << origin_mark(each) + ' ' + origin_text(each);
  return parts.join(QStringLiteral(" · "));
}

}  // namespace convscope::ui
