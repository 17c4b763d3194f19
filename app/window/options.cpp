#include "app/window/options.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QRegularExpression>

#include "ui/model/view.h"
#include "ui/window/view_list.h"

namespace convscope::window {
namespace {

constexpr int longest_side = 32768;
constexpr double largest_scale = 16;

void describe(QCommandLineParser& parser) {
  parser.setApplicationDescription(QString(summary) +
                                   "\nExit codes: 0 done; 1 input or machine refused; 2 wrong usage.");
  parser.addPositionalArgument("NETWORK", network_help, "[NETWORK]");
  parser.addOptions(known_options());
}

QString parse_size(const QString& text, QSize& size) {
  static const QRegularExpression pattern("^(\\d{1,5})x(\\d{1,5})$");
  const auto match = pattern.match(text);
  size = match.hasMatch() ? QSize(match.captured(1).toInt(), match.captured(2).toInt()) : QSize();
  const bool fits = !size.isEmpty() && size.width() <= longest_side && size.height() <= longest_side;
  return fits ? QString() : QString("--size %1: expected WIDTHxHEIGHT, 1 to %2 each").arg(text).arg(longest_side);
}

QString parse_input_size(const QString& text, network::InputSizes& sizes) {
  static const QRegularExpression pattern("^(\\d{1,5})x(\\d{1,5})$");
  const auto match = pattern.match(text);
  const network::Size image{match.captured(1).toInt(), match.captured(2).toInt()};
  const auto fits = [](int side) { return side >= 1 && side <= ui::largest_side; };
  if (match.hasMatch() && fits(image.height) && fits(image.width)) {
    sizes.image = image;
    return {};
  }
  return QString("--input-size %1: expected HEIGHTxWIDTH, 1 to %2 each").arg(text).arg(ui::largest_side);
}

QString parse_batch(const QString& text, network::InputSizes& sizes) {
  bool is_number = false;
  sizes.batch = text.toInt(&is_number);
  const bool fits = is_number && sizes.batch >= 1 && sizes.batch <= ui::largest_batch;
  return fits ? QString() : QString("--batch %1: expected a number from 1 to %2").arg(text).arg(ui::largest_batch);
}

/// Error of --input-size and --batch; empty if they are fine or absent.
QString parse_input(const QCommandLineParser& parser, std::optional<network::InputSizes>& input) {
  const bool has_image = parser.isSet("input-size"), has_batch = parser.isSet("batch");
  if (!has_image && !has_batch) return {};
  input.emplace();
  input->batch = network::stated_batch;
  const QString error = has_image ? parse_input_size(parser.value("input-size"), *input) : QString();
  return error.isEmpty() && has_batch ? parse_batch(parser.value("batch"), *input) : error;
}

QString parse_scale(const QString& text, double& scale) {
  bool is_number = false;
  scale = text.toDouble(&is_number);
  const bool fits = is_number && scale > 0 && scale <= largest_scale;
  return fits ? QString() : QString("--scale %1: expected a number above 0, up to %2").arg(text).arg(largest_scale);
}

QString parse_program(const QString& text, int& program) {
  bool is_number = false;
  program = text.toInt(&is_number);
  return is_number && program >= 0 ? QString() : QString("--program %1: expected a number from 0 on").arg(text);
}

QString view_names() {
  QStringList names;
  for (const ui::ViewEntry& entry : ui::view_entries()) names << entry.id;
  return names.join(", ");
}

/// Options of which each says what is to be done without a display.
QStringList asked_for(const Options& options) {
  QStringList names;
  if (!options.render_folder.isEmpty()) names << "--render";
  if (!options.export_view.isEmpty()) names << "--export-view";
  if (!options.export_figure.isEmpty()) names << "--export-figure";
  if (!options.report.isEmpty()) names << "--report";
  return names;
}

/// What contradicts itself; empty if nothing does.
QString contradiction(const QCommandLineParser& parser, const Options& options) {
  if (parser.positionalArguments().size() > 1) return "more than one network";
  if (!options.theme.isEmpty() && options.theme != "light" && options.theme != "dark") {
    return QString("--theme %1: expected light or dark").arg(options.theme);
  }
  if (!options.show.isEmpty() && ui::find_view(options.show) == nullptr) {
    return QString("--show %1: no such view; there are %2").arg(options.show, view_names());
  }
  if (asked_for(options).size() > 1) return asked_for(options).join(" and ") + " exclude each other";
  if (options.export_view.isEmpty() && options.export_figure.isEmpty()) {
    for (const char* name : {"output", "size", "scale"}) {
      if (parser.isSet(name)) return QString("--%1 needs --export-view or --export-figure").arg(name);
    }
    return {};
  }
  if (!options.export_view.isEmpty() && ui::find_view(options.export_view) == nullptr) {
    return QString("--export-view %1: no such view; there are %2").arg(options.export_view, view_names());
  }
  return options.output.isEmpty() ? asked_for(options).first() + " needs --output FILE" : QString();
}

/// Names that are no parameters' choose target, preset and level.
ui::StartOptions read_baseline(const QString& text) {
  ui::StartOptions baseline;
  for (const QString& change : text.split(',', Qt::SkipEmptyParts)) {
    const QString name = change.section('=', 0, 0).trimmed(), value = change.section('=', 1).trimmed();
    if (name == "target") {
      baseline.target = value;
    } else if (name == "preset") {
      baseline.preset = value;
    } else if (name == "level") {
      baseline.level = value;
    } else {
      baseline.parameters << change.trimmed();
    }
  }
  return baseline;
}

Options read(const QCommandLineParser& parser) {
  Options options;
  options.start = {parser.value("target"), parser.value("preset"), parser.value("level"), parser.values("set")};
  for (const QString& baseline : parser.values("baseline")) options.baselines.push_back(read_baseline(baseline));
  options.theme = parser.value("theme");
  options.network = parser.positionalArguments().value(0);
  options.show = parser.value("show");
  options.render_folder = parser.value("render");
  options.export_view = parser.value("export-view");
  options.export_figure = parser.value("export-figure");
  options.report = parser.value("report");
  options.sweep = parser.value("sweep");
  options.layer = parser.value("layer");
  options.output = parser.value("output");
  return options;
}

}  // namespace

QList<QCommandLineOption> known_options() {
  return {
      {{"h", "help"}, "Shows this help."},
      {{"v", "version"}, "Shows the version."},
      {"theme", "Theme of window and pictures: light or dark.", "light|dark"},
      {"target", "Target to compile for, e.g. nve.", "target"},
      {"preset", "Preset of the machine, by name or by path.", "preset"},
      {"level", "Optimization level.", "level"},
      {"set", "Sets a parameter; may be repeated.", "name=value"},
      {"input-size", "Size of the images that the network takes, if its file leaves it open.", "HEIGHTxWIDTH"},
      {"batch", "Images at a time.", "N"},
      {"sweep", "Results of a sweep that views show.", "results.db"},
      {"show", "View in front, e.g. schedule.", "view"},
      {"baseline",
       "Pins the run with these changes, to compare with: target, preset, level or parameters, e.g. "
       "level=modulo,lanes=32; may be repeated.",
       "name=value,…"},
      {"render", "Without a display: writes every view and the whole window as PNG, in both themes, and ends.",
       "folder"},
      {"report", "Without a display: writes network, machine, tables and all views as a PDF and ends.", "file"},
      {"export-view", "Without a display: writes one view to --output and ends.", "view"},
      {"export-figure", "Without a display: makes one published figure, writes its charts to --output and ends.",
       "figure"},
      {"layer", "Layer that the exported view shows.", "name"},
      {"program", "Which of that layer's programs, counted from 0.", "N"},
      {{"o", "output"}, "File to write: .svg, .pdf, .png or .csv.", "file"},
      {"size", "Size of the exported view, in logical pixels.", "WxH"},
      {"scale", "Pixels per logical pixel of an exported PNG.", "scale"},
  };
}

ParsedOptions parse_options(const QStringList& arguments) {
  QCommandLineParser parser;
  describe(parser);
  ParsedOptions result;
  if (!parser.parse(arguments)) {
    result.error = parser.errorText();
    return result;
  }
  if (parser.isSet("help"))
    result.answer =
        parser.helpText().replace("<executable_name>", "convscope");  // asked before there is an application
  if (parser.isSet("version")) result.answer = "ConvScope " + QCoreApplication::applicationVersion() + '\n';
  result.options = read(parser);
  if (parser.isSet("size")) result.error = parse_size(parser.value("size"), result.options.size);
  if (result.error.isEmpty() && parser.isSet("scale")) {
    result.error = parse_scale(parser.value("scale"), result.options.scale);
  }
  if (result.error.isEmpty() && parser.isSet("program")) {
    result.error = parse_program(parser.value("program"), result.options.program);
  }
  if (result.error.isEmpty()) result.error = parse_input(parser, result.options.input_sizes);
  if (result.error.isEmpty()) result.error = contradiction(parser, result.options);
  return result;
}

}  // namespace convscope::window
