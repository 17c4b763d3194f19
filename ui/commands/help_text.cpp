#include "ui/commands/help_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

QString escaped(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

QString heading(const char* anchor, const QString& text) {
  return QStringLiteral("<h2><a name=\"%1\"></a>%2</h2>").arg(QLatin1String(anchor), text);
}

QString row(const QStringList& cells) {
  return "<tr><td>" + cells.join(QStringLiteral("</td><td>")) + "</td></tr>";
}

QString table(const QString& rows) {
  return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"4\">") + rows + "</table>";
}

QString shortcuts(const std::vector<Command>& commands) {
  QString rows;
  for (const Command& each : commands) {
    if (each.keys.isEmpty()) continue;
    rows += row({"<b>" + each.keys.toString(QKeySequence::NativeText).toHtmlEscaped() + "</b>",
                 each.title.toHtmlEscaped(), each.place.toHtmlEscaped()});
  }
  return heading("shortcuts", translated("Keys")) + table(rows);
}

QString shown_by(std::span<const ViewEntry> views) {
  QString text = heading("views", translated("Views"));
  for (const ViewEntry& view : views) {
    text += QStringLiteral("<h3>%1</h3><p>%2</p>").arg(view.title.toHtmlEscaped(), view.help.toHtmlEscaped());
  }
  return text;
}

QString limits(const arch::ParameterDescription& parameter) {
  if (parameter.kind == arch::ParameterKind::choice) {
    QStringList names;
    for (const std::string& choice : parameter.choices) names << escaped(choice);
    return names.join(QStringLiteral(", "));
  }
  const QString unit = parameter.unit.empty() ? QString() : ' ' + escaped(parameter.unit);
  const QString range = translated("%1 to %2%3").arg(parameter.minimum).arg(parameter.maximum).arg(unit);
  return parameter.powers_of_two ? translated("%1, powers of two").arg(range) : range;
}

QString parameters(const arch::MachineDescription& machine) {
  QString rows;
  for (const auto& parameter : machine.parameters) {
    rows += row({"<b>" + escaped(parameter.label) + "</b><br><code>" + escaped(parameter.name) + "</code>",
                 escaped(parameter.help), limits(parameter)});
  }
  return heading("parameters", translated("Parameters of %1").arg(escaped(machine.title))) + table(rows);
}

QString sweeps() {
  const QString text = translated(
      "<p>A sweep compiles the networks for every machine of a space, and shows which ones no other beats: the front. "
      "F6 sets one up; 'Sweep this parameter…' in a parameter's context menu starts from there. A parameter takes "
      "values (<code>1 2 4 8</code>), a range with a step or a factor, or follows from others "
      "(<code>64 / cores</code>). Constraints such as <code>on_chip_bits &lt;= 2 ^ 20</code> leave machines out; "
      "names are parameters, level, preset, mac_units, on_chip_bits, instruction_bits and memory_ports.</p>"
      "<p>It pauses while something compiles that you wait for. In the table below, Return opens the marked machine, "
      "Ctrl+Return compares two. With a results file it goes on where it stopped.</p>");
  return heading("sweeps", translated("Sweeps")) + text;
}

QString contents() {
  return QStringLiteral(
             "<p><a href=\"#shortcuts\">%1</a> · <a href=\"#views\">%2</a> · <a href=\"#sweeps\">%3</a> · "
             "<a href=\"#parameters\">%4</a></p>")
      .arg(translated("Keys"), translated("Views"), translated("Sweeps"), translated("Parameters"));
}

}  // namespace

QString help_text(const std::vector<Command>& commands, std::span<const ViewEntry> views,
                  const arch::MachineDescription& machine) {
  return contents() + shortcuts(commands) + shown_by(views) + sweeps() + parameters(machine);
}

}  // namespace convscope::ui
