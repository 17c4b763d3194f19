#include "tests/ui/made_up_sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace convscope::ui::test {
namespace {

using explore::ColumnKind;
using explore::SweepColumn;
using explore::SweepTable;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

SweepColumn parameter(const char* key, const char* label, const char* unit) {
  return {key, label, unit, ColumnKind::machine, false, Origin::derived, {}, {}, 0, -1};
}

SweepColumn objective(const char* key, const char* label, const char* unit, Origin origin, bool maximize = false) {
  return {key, label, unit, ColumnKind::objective, maximize, origin, {}, {}, 0, -1};
}

void find_ranges(SweepTable& table) {
  for (SweepColumn& column : table.columns) {
    column.least = std::numeric_limits<double>::infinity();
    column.most = -column.least;
    for (const double value : column.values) {
      if (std::isnan(value)) continue;
      column.least = std::min(column.least, value);
      column.most = std::max(column.most, value);
    }
  }
}

/// Over the two objectives, both to be small.
void find_front(SweepTable& table) {
  const auto &first = table.column(table.objectives[0].key)->values,
             &second = table.column(table.objectives[1].key)->values;
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(first[a], second[a]) < std::pair(first[b], second[b]);
  });
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t row : order) {
    if (table.comparable[row] == 0 || !(second[row] < best)) continue;
    best = second[row];
    table.on_front[row] = 1;
  }
}

arch::ParameterDescription number(const char* name, const char* label, double minimum, double maximum, double initial) {
  arch::ParameterDescription description;
  description.name = name;
  description.label = label;
  description.minimum = minimum;
  description.maximum = maximum;
  description.initial = initial;
  return description;
}

explore::MachineStanding standing(double seconds, const char* bound, const char* layer_bound) {
  const explore::Standing total{true, seconds, seconds * 1e8, "DRAM latency", bound};
  return {total, 0.5, Origin::derived, {{true, seconds * 0.7, seconds * 7e7, "DRAM latency", layer_bound}, {}}};
}

explore::Change change(std::size_t parameter, explore::Move move, const char* from, const char* to,
                       explore::MachineStanding after, const char* impossible = "") {
  return {parameter, move, from, to, impossible, std::move(after)};
}

}  // namespace

std::shared_ptr<const SweepTable> made_up_sweep(std::size_t rows, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t end) { return random() % end; };
  const auto noise = [&random] { return static_cast<double>(random() % 1000) / 1000; };
  auto table = std::make_shared<SweepTable>();
  table->title = "Cores and memory";
  table->objectives = {{"seconds", false}, {"on_chip_bits", false}};
  table->columns = {parameter("level", "Level", ""),
                    parameter("made.cores", "Cores", ""),
                    parameter("made.memory", "Memory", "byte"),
                    objective("seconds", "Time", "s", Origin::estimate),
                    objective("on_chip_bits", "Memory on chip", "bit", Origin::derived),
                    objective("utilization", "Utilization", "", Origin::derived, true),
                    objective("bytes", "Traffic", "byte", Origin::derived)};
  table->columns[0].names = {"plain", "tuned"};
  for (std::size_t row = 0; row < rows; ++row) {
    const double level = below(2), cores = 1 + below(8), memory = 4096 * std::pow(2.0, below(7));
    const double seconds = (1 + noise()) * (1.4 - 0.4 * level) * (0.004 / cores + 40 / memory);
    const double bits = 8 * memory * cores * (1 + 0.2 * noise());
    table->points.push_back(row * 3);
    table->comparable.push_back(below(50) == 0 ? 0 : 1);
    const double values[] = {level,
                             cores,
                             memory,
                             seconds,
                             bits,
                             std::min(1.0, 0.0006 / (seconds * cores)),
                             row % 7 == 3 ? nothing : 1e6 + 4e10 / memory * (1 + noise())};
    for (std::size_t i = 0; i < std::size(values); ++i) table->columns[i].values.push_back(values[i]);
  }
  table->on_front.assign(rows, 0);
  table->reasons = {"", "the kernel is larger than the image"};
  for (const std::uint8_t comparable : table->comparable) table->reason.push_back(comparable == 0 ? 1 : 0);
  table->size = 3 * rows + 100;
  table->seen = rows + rows / 10;
  table->removed = {{"memory must hold a row", rows / 10 - rows / 30}, {"cores must divide the maps", rows / 30}};
  table->state = "running";
  find_ranges(*table);
  find_front(*table);
  return table;
}

std::shared_ptr<const SweepTable> table_of(const std::vector<double>& x, const std::vector<double>& y) {
  auto table = std::make_shared<SweepTable>();
  table->title = "by hand";
  table->objectives = {{"seconds", false}, {"made.size", false}};
  table->columns = {parameter("made.size", "Size", "byte"), objective("seconds", "Time", "s", Origin::derived)};
  table->columns[1].values = x;
  table->columns[0].values = y;
  for (std::size_t row = 0; row < x.size(); ++row) table->points.push_back(row);
  table->on_front.assign(x.size(), 0);
  table->reasons = {""};
  table->reason.assign(x.size(), 0);
  table->comparable.assign(x.size(), 1);
  table->size = table->seen = x.size();
  table->state = "finished";
  find_ranges(*table);
  find_front(*table);
  return table;
}

std::shared_ptr<const SensitivityRun> made_up_sensitivity(const Snapshot& snapshot) {
  using explore::Move;
  auto description = std::make_shared<arch::MachineDescription>();
  description->target = "made";
  description->title = "Made up";
  description->parameters = {number("lanes", "Lanes", 4, 64, 16), number("port", "Port width", 32, 256, 64),
                             number("clock", "Clock", 1, 100, 10), number("ports", "Ports", 1, 4, 2)};
  explore::Sensitivity result;
  result.before = standing(1e-3, "MEMA", "MEMA");
  result.changes = {change(0, Move::lowest, "16", "4", {}, "lanes must be a multiple of the port"),
                    change(0, Move::step_up, "16", "17", standing(0.95e-3, "MEMA", "MEMA")),
                    change(0, Move::highest, "16", "64", standing(0.8e-3, "MEMA", "MEMA")),
                    change(1, Move::step_down, "64", "32", standing(2.6e-3, "MEMA", "MEMA")),
                    change(1, Move::step_up, "64", "128", standing(0.69e-3, "VMAC", "VMAC")),
                    change(1, Move::highest, "64", "256", standing(0.61e-3, "VMAC", "MEMA")),
                    change(2, Move::lowest, "10", "1", standing(1e-3, "MEMA", "MEMA")),
                    change(2, Move::highest, "10", "100", standing(1e-3, "MEMA", "MEMA")),
                    change(3, Move::lowest, "2", "1", standing(1.12e-3, "MEMB", "MEMB")),
                    change(3, Move::step_down, "2", "1", standing(1.12e-3, "MEMB", "MEMB")),
                    change(3, Move::step_up, "2", "3", standing(0.99e-3, "MEMA", "MEMA"))};
  return std::make_shared<const SensitivityRun>(SensitivityRun{snapshot.compiled->network, snapshot.compiled->target,
                                                               arch::ParameterValues(description),
                                                               snapshot.compiled->level, std::move(result), true});
}

std::shared_ptr<const QuantizationRun> made_up_quantization(const Snapshot& snapshot) {
  artifact::Quantization result;
  result.bits = 8;
  result.inputs = 4;
  result.same_answer = 3;
  const auto add = [&](const std::string& name, int layer, double noise, double added) {
    artifact::QuantizedTensor tensor;
    tensor.name = name;
    tensor.layer = layer;
    tensor.constant = noise < 0;
    tensor.format = "Q3.5";
    tensor.bits = 8;
    tensor.fraction = 5;
    tensor.least = -1.5;
    tensor.most = 4.5;
    tensor.values = {-8, {3, 10, 40, 90, 300, 200, 80, 20, 9, 4, 1}, {1, 4, 20, 70, 200, 150, 60, 9, 2, 0, 0}, 12};
    tensor.alone = 1e-4;
    if (noise >= 0) tensor.noise = noise;
    tensor.added = added;
    result.tensors.push_back(std::move(tensor));
  };
  add("image", -1, 0, 0);
  add("first.weights", 0, -1, 0);
  add("first.out", 0, 1e-4, 1e-4);
  add("second.weights", 1, -1, 0);
  add("second.out", 1, 1e-2, 1e-2 - 1e-4);
  result.outputs = {4};
  auto run = std::make_shared<QuantizationRun>();
  run->network = snapshot.compiled->network;
  run->wish.bits = 8;
  run->fraction = 1;
  run->result = std::make_shared<const artifact::Quantization>(std::move(result));
  return run;
}

Snapshot with_exploration(Snapshot snapshot, std::size_t rows) {
  auto state = std::make_shared<ExplorationState>();
  state->sweep = made_up_sweep(rows);
  state->look.colour = "made.cores";
  state->sensitivity = made_up_sensitivity(snapshot);
  state->quantization = made_up_quantization(snapshot);
  snapshot.exploration = std::move(state);
  return snapshot;
}

}  // namespace convscope::ui::test
