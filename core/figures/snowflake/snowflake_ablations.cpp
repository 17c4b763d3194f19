#include <cmath>

#include <fmt/format.h>

#include "core/figures/snowflake/ablation_runs.h"
#include "core/figures/snowflake/snowflake_figures.h"

namespace convscope::figures {
namespace {

using snowflake::TimingMachine;

AblationVariant memory(double efficiency, int cost) {
  return {fmt::format("efficiency {:.2f}, {} bytes an LD", efficiency, cost), [=](TimingMachine& timing) {
            timing.efficiency = efficiency;
            timing.load_cost_bytes = cost;
          }};
}

template <typename Number>
AblationVariant timed(std::string name, Number TimingMachine::*member, Number value) {
  return {std::move(name), [=](TimingMachine& timing) { timing.*member = value; }};
}

AblationVariant rival() {
  return {"no LD cost, efficiency 0.80, first layer INDP, gather 56",
          [](TimingMachine& timing) {
            timing.load_cost_bytes = 0;
            timing.efficiency = 0.8;
            timing.gather = 56;
          },
          first_independent};
}

/// The preset first; then each step away from it; then the points of the valley, along which Table 1 fits alike.
std::vector<AblationVariant> variants() {
  return {{"as the preset"},
          timed("without the cost of LDs", &TimingMachine::load_cost_bytes, 0),
          {"without bypass", {}, {}, without_bypass},
          {"kernel tiles that fill the bank", {}, fill_kernel_bank},
          {"stride in the 1x1", {}, {}, {}, "resnet50.xml"},
          {"first layer INDP", {}, first_independent},
          timed("gather 16", &TimingMachine::gather, 16),
          timed("gather 56", &TimingMachine::gather, 56),
          rival(),
          timed("load units and store port at half", &TimingMachine::unit_bandwidth, 1.05e9),
          timed("no load latency", &TimingMachine::load_latency, 0),
          timed("twice the load latency", &TimingMachine::load_latency, 120),
          timed("no gap between streams", &TimingMachine::load_gap, 0),
          timed("results after 8 cycles", &TimingMachine::result_latency, 8),
          timed("write-backs for nothing", &TimingMachine::write_back, 0),
          memory(1.0, 0),
          memory(0.79, 0),
          memory(0.84, 500),
          memory(0.94, 1500),
          memory(0.99, 2000)};
}

/// Root mean square of the relative errors of Table 1's rows, as they stand in the whole network.
std::optional<double> table1_error(const std::optional<AblationRun>& run, const std::string& network,
                                   const analysis::PublishedTables& published) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; run && i < run->layers.size(); ++i) {
    const auto theirs = published.find("snowflake-table1-auto", network, run->layers[i], "seconds");
    if (!theirs) continue;
    sum += std::pow(run->layer_seconds[i] / *theirs - 1, 2);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return std::sqrt(sum / count);
}

constexpr const char* names[] = {"AlexNetOWT", "ResNet18", "ResNet50"};

std::vector<Cell> row(const std::string& name, const std::vector<std::optional<AblationRun>>& runs,
                      const analysis::PublishedTables& published) {
  std::vector<Cell> cells{text_cell(name),
                          number_cell(table1_error(runs.front(), names[0], published), "%", Origin::simulated, 2)};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto theirs = published.find("snowflake-table2", names[i], "", "seconds_without_fc");
    const auto ours = runs[i] ? std::optional(runs[i]->seconds) : std::nullopt;
    cells.push_back(number_cell(ours ? std::optional(*ours * 1e3) : ours, "ms", Origin::simulated));
    cells.push_back(difference_cell(ours, theirs));
  }
  const auto& last = runs.back();
  cells.push_back(number_cell(last ? std::optional(last->bytes / 1e6) : std::nullopt, "MB", Origin::simulated, 0));
  return cells;
}

}  // namespace

std::optional<Figure> snowflake_ablations(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = snowflake_machine(environment, diagnostics);
  if (!machine) return std::nullopt;
  const std::vector<AblationVariant> all = variants();
  const auto runs = run_ablations(all, *machine, environment, diagnostics);
  if (runs.empty()) return std::nullopt;
  Figure figure{"snowflake-ablations", "What each assumption beyond the paper is worth", "", {}, {}, {}};
  figure.columns = {"changed", "Table 1, rms"};
  for (const char* name : names) {
    figure.columns.push_back(std::string(name) + " ms");
    figure.columns.push_back(std::string(name) + " from paper");
  }
  figure.columns.push_back("ResNet50 MB");
  for (std::size_t i = 0; i < all.size(); ++i) figure.rows.push_back(row(all[i].name, runs[i], *environment.published));
  figure.notes = {
      "Level paper, one program a network, without fully connected layers; one thing changed at a time. Table 1: root",
      "mean square of the four rows' errors. The last rows are the valley: efficiency 0.79 + cost / 10,000 bytes fits",
      "Table 1 alike all along, while ResNet50 moves by a third either way; its point in the preset is chosen by Table "
      "2.",
      "The store port has no speed of its own in this machine: half of it is half of the load units' too."};
  return figure;
}

}  // namespace convscope::figures
