#include <algorithm>
#include <cmath>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/cost/free_running.h"

namespace convscope::nmp {
namespace {

using artifact::OperationClass;
using artifact::TileMove;
using artifact::TileOperation;
using artifact::TileTensor;
using artifact::TimelineCell;

/// One group of a convolution as it was simulated.
class FreeRunningDrawer {
 public:
  FreeRunningDrawer(const Machine& machine, const artifact::TilePlan& plan) : machine_(machine), plan_(plan) {}

  void draw(const Turn& turn) {
    if (cells.size() > timeline_budget) return;
    double at = turn.begin;
    const TileOperation store{false, TileMove::store, TileTensor::output, turn.tle, 0};
    const TileOperation load{false, TileMove::load, turn.input > 0 ? TileTensor::input : TileTensor::weights, turn.tle,
                             0};
    cell(1 + turn.tle, at - turn.commands, turn.commands, "commands", turn.step, turn.output > 0 ? store : load);
    dram(at, turn.residual, "residual", turn, TileMove::load_residual, TileTensor::output);
    dram(at, turn.partial_sums, "partial sums", turn, TileMove::load_partial_sums, TileTensor::output);
    dram(at, turn.input, "IN", turn, TileMove::load, TileTensor::input);
    dram(at, turn.weights, "W", turn, TileMove::load, TileTensor::weights);
    const TileTensor shared = turn.input > 0 ? TileTensor::input : TileTensor::weights;
    cell(ring_resource(machine_), turn.ring_begin, turn.ring, turn.input > 0 ? "IN" : "W", turn.step,
         {false, TileMove::load, shared, -1, 0});
    if (turn.ring > 0) end = std::max(end, turn.ring_begin + turn.ring);
    cell(1 + machine_.tles + turn.tle, at, turn.mac, "MAC", turn.step, {true, {}, {}, turn.tle, 0});
    at += turn.mac;
    dram(at, turn.output, "OUT", turn, TileMove::store, TileTensor::output);
    end = std::max(end, at);
  }

  std::vector<TimelineCell> cells;
  double end = 0;  ///< seconds

 private:
  void dram(double& at, double length, const char* label, const Turn& turn, TileMove move, TileTensor tensor) {
    cell(0, at, length, label, turn.step, {false, move, tensor, -1, 0});
    cell(1 + turn.tle, at, length, label, turn.step, {false, move, tensor, turn.tle, 0});
    at += length;
  }

  void cell(int resource, double at, double length, const char* label, std::int64_t step, TileOperation operation) {
    const std::int64_t first = std::llround(at * machine_.clock_hz);
    const std::int64_t cycles = std::llround((at + length) * machine_.clock_hz) - first;
    if (length <= 0 || cycles <= 0) return;
    const artifact::Ref ref = plan_.ref_of(step, operation);
    const auto kind = operation.work                      ? OperationClass::multiply_accumulate
                      : artifact::is_load(operation.move) ? OperationClass::read
                                                          : OperationClass::write;
    cells.push_back({resource, first, cycles, ref.operation, static_cast<std::int32_t>(ref.iteration), kind, label});
  }

  const Machine& machine_;
  const artifact::TilePlan& plan_;
};

}  // namespace

std::shared_ptr<const artifact::Timeline> make_free_running_timeline(const Convolution& convolution,
                                                                     const Machine& machine, const Solution& solution) {
  const CostModel model(convolution, machine);
  const auto plan = make_tile_plan(convolution, machine, solution.tiling);
  const std::int64_t steps = plan->steps() / convolution.repeats;
  if (steps * machine.tles > static_cast<std::int64_t>(timeline_budget)) return nullptr;
  const double counted = seconds_of(solution.totals, machine).dram();
  FreeRunningDrawer drawer(machine, *plan);
  free_running_ratio(model, solution.tiling, counted > 0 ? solution.seconds.dram() / counted : 1, {},
                     [&](const Turn& turn) { drawer.draw(turn); });
  if (drawer.cells.size() * static_cast<std::size_t>(convolution.repeats) > timeline_budget) return nullptr;
  std::stable_sort(drawer.cells.begin(), drawer.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.resource < b.resource;
  });
  std::vector<artifact::TimelineSection> sections;
  for (int group = 0; group < convolution.repeats; ++group)
    sections.push_back({"free-running", std::llround(drawer.end * machine.clock_hz), 1, group,
                        group * (steps / plan->steps_per_tile()), drawer.cells});
  return std::make_shared<const artifact::Timeline>(timeline_resources(machine), std::move(sections));
}

}  // namespace convscope::nmp
