// Every figure that is shown twice is the same figure: command line, layer table, tree, status bar and the data behind
// every chart, for the same request.

#include <QLabel>
#include <QProcess>
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/panels/layers/layer_table_model.h"
#include "ui/panels/network/network_tree_model.h"
#include "ui/window/main_window.h"
#include "ui/window/view_list.h"
#include "ui/words/figures.h"

namespace convscope::ui::test {
namespace {

using Json = nlohmann::json;
using Row = std::map<std::string, std::string>;

struct Request {
  const char* network;
  const char* target;
  friend std::ostream& operator<<(std::ostream& out, const Request& request) {
    return out << request.network << " on " << request.target;
  }
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// The header's fields are the keys. Fields have no line breaks in these networks.
std::vector<Row> rows_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> keys = fields_of(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = fields_of(line);
    Row row;
    for (std::size_t i = 0; i < keys.size() && i < fields.size(); ++i) row[keys[i]] = fields[i];
    rows.push_back(row);
  }
  return rows;
}

std::vector<Row> rows_of(const char* view, const Snapshot& snapshot) {
  return rows_of(find_view(view)->make_painter(snapshot)->csv());
}

class SameFigures : public testing::TestWithParam<Request> {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    ASSERT_TRUE(workbench.configure({GetParam().target, {}, {}, {}}, diagnostics)) << diagnostics.text();
    ASSERT_TRUE(open_and_wait(workbench, sample(GetParam().network), true));
    QProcess process;
    process.start(QStringLiteral(CONVSCOPE_BINARY_DIR "/bin/convscope-cli"),
                  {"report", sample(GetParam().network), "--target", GetParam().target, "--json"});
    ASSERT_TRUE(process.waitForFinished(120000));
    report = Json::parse(process.readAllStandardOutput().toStdString());
  }

  /// Figures of a layer, or of the total, as the command line prints them: the target's own beside the others.
  Json figures_of(const std::string& layer) const {
    for (const Json& each : report["layers"])
      if (each["name"] == layer) return flat(each);
    return flat(report["total"]);
  }
  static Json flat(Json figures) {
    if (figures.contains(GetParam().target)) figures.update(figures[GetParam().target]);
    return figures;
  }
  QString level() const { return workbench.level(); }

  Workbench workbench{catalogue::standard()};
  Json report;
};

TEST_P(SameFigures, InTheLayerTable) {
  const LayerTableModel model(workbench);
  ASSERT_EQ(model.rowCount(), static_cast<int>(report["layers"].size()));
  int compared = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const Json& layer = report["layers"][static_cast<std::size_t>(row)];
    const Json figures = flat(layer);
    for (const auto& [key, value] : figures.items()) {
      const int column = model.column(key);
      if (column < 0 || !value.is_number()) continue;
      const QVariant shown = model.index(row, column).data(value_role);
      if (layer["mapped"] == false && !shown.isValid()) continue;
      // The command line writes counts whole; a machine may give fractions of a cycle.
      const double tolerance = value.is_number_integer() ? 0.5 : 0;
      EXPECT_NEAR(shown.toDouble(), value.get<double>(), tolerance) << layer["name"] << ' ' << key;
      ++compared;
    }
  }
  const auto& layers = report["layers"];
  const auto mapped =
      std::count_if(layers.begin(), layers.end(), [](const Json& each) { return each["mapped"] == true; });
  EXPECT_GE(compared, 8 * mapped);
}

TEST_P(SameFigures, InTheTree) {
  const NetworkTreeModel model(workbench);
  const QModelIndex top = model.index(0, 0);
  const auto check = [&](const QModelIndex& index, const Json& figures) {
    const auto shown = [&](int column) { return index.siblingAtColumn(column).data(value_role); };
    if (figures.value("mapped", true) == false) return;
    EXPECT_NEAR(shown(NetworkTreeModel::cycles).toDouble(), figures["cycles"].get<double>(), 0.5);
    EXPECT_EQ(shown(NetworkTreeModel::utilization).toDouble(), figures["utilization"].get<double>());
    EXPECT_EQ(shown(NetworkTreeModel::bytes).toDouble(), figures["bytes_in"].get<double>() +
                                                             figures["bytes_out"].get<double>() +
                                                             figures["bytes_weights"].get<double>());
  };
  check(top, report["total"]);
  for (int row = 0; row < model.rowCount(top); ++row)
    check(model.index(row, 0, top), report["layers"][static_cast<std::size_t>(row)]);
}

TEST_P(SameFigures, InTheStatusBar) {
  const MainWindow window(workbench);
  const QString text = window.findChild<QLabel*>("summary")->text();
  const Json& total = report["total"];
  EXPECT_TRUE(text.contains(count_text(total["cycles"].get<std::int64_t>()) + " cycles")) << text.toStdString();
  EXPECT_TRUE(text.contains(percent_text(total["utilization"].get<double>()))) << text.toStdString();
  EXPECT_TRUE(text.contains(quantity_text({total["seconds"].get<double>(), "s", Origin::derived})))
      << text.toStdString();
}

TEST_P(SameFigures, InTheTrafficChart) {
  const std::map<std::string, std::string> keys = {
      {"pixels in", "bytes_in"}, {"pixels out", "bytes_out"}, {"coefficients in", "bytes_weights"}};
  int compared = 0;
  for (const Row& row : rows_of("traffic", workbench.snapshot())) {
    if (row.at("series") != level().toStdString()) continue;
    EXPECT_EQ(std::stod(row.at("value")), figures_of(row.at("layer"))[keys.at(row.at("part"))].get<double>());
    EXPECT_EQ(row.at("origin"), report["layers"][0]["origin"].get<std::string>());
    ++compared;
  }
  EXPECT_GE(compared, 12);
}

TEST_P(SameFigures, InTheUtilizationChart) {
  int compared = 0;
  for (const Row& row : rows_of("utilization", workbench.snapshot())) {
    if (row.at("series") != level().toStdString()) continue;
    const Json figures = figures_of(row.at("layer"));
    const bool share = row.at("unit") == "%";
    const double expected =
        share ? 100 * figures["utilization"].get<double>() : figures["mac_per_instruction"].get<double>();
    EXPECT_NEAR(std::stod(row.at("value")), expected, 1e-10 * expected) << row.at("layer");
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST_P(SameFigures, InTheRoofline) {
  std::map<std::string, std::vector<double>> points;
  for (const Row& row : rows_of("roofline", workbench.snapshot())) {
    if (row.at("series") != "roof") points[row.at("name")].push_back(std::stod(row.at("operations_per_second")));
  }
  EXPECT_FALSE(points.empty());
  for (const auto& [name, rates] : points) {
    const Json figures = figures_of(name);
    const double rate = 2 * figures["macs"].get<double>() / figures["seconds"].get<double>();
    EXPECT_TRUE(
        std::any_of(rates.begin(), rates.end(), [&](double each) { return std::abs(each - rate) <= 1e-9 * rate; }))
        << name << ": " << rates.front() << " in place of " << rate;
  }
}

TEST_P(SameFigures, InTheNetworkGraph) {
  int compared = 0;
  for (const Row& row : rows_of("network-graph", workbench.snapshot())) {
    const Json figures = figures_of(row.at("layer"));
    EXPECT_EQ(std::stoll(row.at("macs")), figures["macs"].get<std::int64_t>());
    if (row.at("mapped") != "yes") continue;
    EXPECT_EQ(std::stoll(row.at("cycles")), figures["cycles"].get<std::int64_t>()) << row.at("layer");
    EXPECT_EQ(std::stod(row.at("utilization")), figures["utilization"].get<double>()) << row.at("layer");
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST_P(SameFigures, InAComparison) {
  workbench.pin_baseline();
  for (const Row& row : rows_of("compare", workbench.snapshot())) {
    if (row.at("verdict") == "missing") continue;
    EXPECT_EQ(row.at("verdict"), "same");
    const double expected = figures_of(row.at("layer"))[row.at("figure")].get<double>();
    EXPECT_NEAR(std::stod(row.at("compared")), expected, 0.5);
    EXPECT_EQ(row.at("compared"), row.at("baseline"));
  }
}

TEST_P(SameFigures, WithTheirOrigin) {
  const LayerTableModel model(workbench);
  for (int row = 0; row < model.rowCount(); ++row) {
    const Json& layer = report["layers"][static_cast<std::size_t>(row)];
    if (layer["mapped"] == false) continue;
    for (const char* key : {"cycles", "seconds", "utilization"}) {
      const std::string origin = layer["origins"].value(key, layer["origin"].get<std::string>());
      const QString tip = model.index(row, model.column(key)).data(Qt::ToolTipRole).toString();
      const bool estimate = origin == "estimate";
      EXPECT_EQ(tip.contains("estimated"), estimate) << key << ' ' << tip.toStdString();
      EXPECT_EQ(model.index(row, model.column(key)).data(Qt::FontRole).isValid(), estimate) << key;
    }
    EXPECT_FALSE(model.index(row, model.column("bytes_in")).data(Qt::ToolTipRole).toString().isEmpty());
  }
}

INSTANTIATE_TEST_SUITE_P(Requests, SameFigures,
                         testing::Values(Request{"speed_sign", "nve"}, Request{"squeezenet_1_0", "nmp"}),
                         [](const auto& each) { return std::string(each.param.target); });

}  // namespace
}  // namespace convscope::ui::test
