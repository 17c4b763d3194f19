#include "ui/export/report_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "core/network/network.h"
#include "ui/models/figures.h"
#include "ui/models/layer_columns.h"

namespace convscope::ui {
namespace {

constexpr std::size_t most_messages = 20;

QString tr(const char* text) {
  return QCoreApplication::translate("Report", text);
}

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
  return QStringLiteral("<h1>%1</h1>").arg(network ? escaped(network->name) : tr("No network"));
}

QString totals(const Snapshot& snapshot) {
  const auto run = network_result(snapshot);
  if (!run) return "<p>" + snapshot.message.toHtmlEscaped() + "</p>";
  QStringList parts{escaped(run->target->title()),
                    tr("level %1").arg(escaped(run->level)),
                    tr("%1 MACs").arg(count_text(run->total.macs)),
                    tr("%1 cycles (%2)").arg(quantity_text(run->total.cycles), origin_text(run->total.cycles.origin)),
                    quantity_text(run->total.seconds) + " s",
                    tr("utilization %1").arg(percent_text(run->total.utilization.value)),
                    tr("%1 of the MACs mapped").arg(percent_text(run->coverage))};
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
  const QString preset = content.preset.isEmpty() ? QString() : tr(" (preset %1)").arg(content.preset.toHtmlEscaped());
  return QStringLiteral("<h2>%1%2</h2>").arg(escaped(description.title), preset) + table(rows);
}

bool has_figures(const Snapshot& snapshot, int layer) {
  const auto result = layer_result(snapshot, layer).layer;
  return result && result->mapped();
}

/// Of the layers that are mapped; why others are not stands among the messages.
QString layers(const Snapshot& snapshot) {
  if (!snapshot.network) return {};
  auto columns = layer_columns(snapshot, *snapshot.network);
  std::erase_if(columns, [](const LayerColumn& column) { return column.key == "mapping"; });
  QString rows = "<tr>";
  for (const LayerColumn& column : columns) rows += "<th>" + column.title.toHtmlEscaped() + "</th>";
  rows += "</tr>";
  for (int layer = 0; layer < static_cast<int>(snapshot.network->layers.size()); ++layer) {
    if (!has_figures(snapshot, layer)) continue;
    rows += "<tr>";
    for (const LayerColumn& column : columns) {
      rows += cell(column.cell(snapshot, *snapshot.network, layer).text, column.figure);
    }
    rows += "</tr>";
  }
  return QStringLiteral("<h2>%1</h2>").arg(tr("Layers")) + table(rows);
}

QString messages(const Diagnostics& diagnostics) {
  if (diagnostics.empty()) return {};
  QString items;
  const auto& all = diagnostics.items();
  const std::size_t shown = std::min(most_messages, all.size());
  for (std::size_t index = 0; index < shown; ++index) items += "<li>" + escaped(all[index].text()) + "</li>";
  const std::size_t more = all.size() - shown;
  if (more > 0) items += "<li>" + tr("and %1 more").arg(more) + "</li>";
  return QStringLiteral("<h2>%1</h2><ul>%2</ul>").arg(tr("Messages"), items);
}

}  // namespace

QString report_text(const ReportContent& content) {
  return title(content) + totals(content.snapshot) + machine(content) + layers(content.snapshot) +
         messages(content.messages);
}

}  // namespace convscope::ui
