#include "ui/window/view_list.h"

#include <algorithm>

#include "core/target/programs.h"
#include "ui/model/exploration.h"
#include "ui/model/shown_run.h"
#include "ui/parts/comparison/comparison_line.h"
#include "ui/views/layer/tiling/tiling_painter.h"
#include "ui/views/layer/why/why_painter.h"
#include "ui/views/machines/search_runs/error_speed_view.h"
#include "ui/views/machines/search_runs/search_runs_view.h"
#include "ui/views/machines/search_tree/search_tree_painter.h"
#include "ui/views/machines/sensitivity/sensitivity_painter.h"
#include "ui/views/machines/sweep_parallel/parallel_painter.h"
#include "ui/views/machines/sweep_parallel/parallel_widget.h"
#include "ui/views/machines/sweep_scatter/scatter_painter.h"
#include "ui/views/machines/sweep_scatter/scatter_widget.h"
#include "ui/views/network/breakdown/breakdown_view.h"
#include "ui/views/network/compare/compare_view.h"
#include "ui/views/network/network_graph/network_graph_painter.h"
#include "ui/views/network/quantization/quantization_painter.h"
#include "ui/views/network/roofline/roofline_view.h"
#include "ui/views/network/traffic/traffic_view.h"
#include "ui/views/network/utilization/utilization_view.h"
#include "ui/views/program/listing/program_painter.h"
#include "ui/views/program/memory/memory_painter.h"
#include "ui/views/program/schedule/schedule_painter.h"
#include "ui/views/program/source/source_painter.h"
#include "ui/views/program/stepper/stepper_painter.h"
#include "ui/views/program/task_graph/task_graph_painter.h"

namespace convscope::ui {
namespace {

using MakePainter = std::unique_ptr<ViewPainter> (*)(const Snapshot& snapshot);

/// A layer's picture below the line that compares it with the baseline.
template <MakePainter make, ComparedArtifact artifact>
std::unique_ptr<ViewPainter> compared(const Snapshot& snapshot) {
  return with_comparison_line(make(snapshot), comparison_line(snapshot, artifact));
}

/// A layer by which one can tell what artifacts the machine has; null while none is compiled.
std::shared_ptr<const target::CompiledLayer> mapped_layer(const Snapshot& snapshot) {
  const auto run = shown_network(snapshot);
  if (!run) return nullptr;
  const auto found =
      std::find_if(run->layers.begin(), run->layers.end(), [](const auto& layer) { return layer && layer->mapped(); });
  return found == run->layers.end() ? nullptr : *found;
}

template <auto artifact>
bool has_of_program(const Snapshot& snapshot) {
  const auto layer = mapped_layer(snapshot);
  if (!layer) return true;
  for (int program = 0; program < layer->program_count(); ++program)
    if (((*layer).*artifact)(program) != nullptr) return true;
  return false;
}

bool has_tiling(const Snapshot& snapshot) {
  const auto layer = mapped_layer(snapshot);
  return !layer || layer->tile_plan() != nullptr;
}

bool has_tree(const Snapshot& snapshot) {
  const auto layer = mapped_layer(snapshot);
  return layer && layer->decision_tree() != nullptr;
}

bool has_source(const Snapshot& snapshot) {
  const auto layer = mapped_layer(snapshot);
  return layer && layer->program_count() > 0 && layer->source(0) != nullptr;
}

bool has_trace(const Snapshot& snapshot) {
  const auto run = shown_network(snapshot);
  if (!run) return true;
  const target::ProgramTools* tools = run->target->program_tools();
  return tools != nullptr && tools->trace_options() != nullptr;
}

bool has_baseline(const Snapshot& snapshot) {
  return snapshot.baseline() != nullptr;
}

bool has_sweep(const Snapshot& snapshot) {
  return snapshot.exploration && snapshot.exploration->sweep;
}

bool has_quantization(const Snapshot& snapshot) {
  return snapshot.exploration && snapshot.exploration->quantization;
}

bool has_sensitivity(const Snapshot& snapshot) {
  return snapshot.exploration && snapshot.exploration->sensitivity;
}

}  // namespace

const std::vector<ViewEntry>& view_entries() {
  static const std::vector<ViewEntry> entries = {
      {QStringLiteral("network-graph"), QStringLiteral("Network"), make_network_graph_painter,
       make_network_graph_widget,
       QStringLiteral("The network's operators and what flows between them, grouped in blocks. Each box says what it "
                      "costs, and can be coloured by it; an operator that the machine can't map is hatched, and its "
                      "reading says why. Branches fold at their join: the sign on the box, Space, or [ and ]. A click "
                      "selects the layer everywhere.")},
      {QStringLiteral("schedule"), QStringLiteral("Schedule"),
       compared<make_schedule_painter, ComparedArtifact::schedule>, make_schedule_widget,
       QStringLiteral("Which resource does what in which cycle: cycles run down, resources across. Steady state shows "
                      "one period of the loop, the whole run shows prologue, repetitions and epilogue. The pointer "
                      "reads an operation; a click follows it to every other view."),
       has_of_program<&target::CompiledLayer::timeline>},
      {QStringLiteral("task-graph"), QStringLiteral("Task graph"),
       compared<make_task_graph_painter, ComparedArtifact::task_graph>, make_task_graph_widget,
       QStringLiteral("The operations of one program and what each waits for, placed by cycle and issue field. Arrows "
                      "are dependences, with the cycles that must lie between and the iterations (it.). Colours "
                      "tell kind, cycle or criticality: what has no slack holds up the rest."),
       has_of_program<&target::CompiledLayer::task_graph>},
      {QStringLiteral("tiling"), QStringLiteral("Tiling"), compared<make_tiling_painter, ComparedArtifact::tiling>,
       make_tiling_widget,
       QStringLiteral("How the layer is cut into tiles: the tensors with their tiles in order, the ones in use in the "
                      "colour of their group, dots where bursts begin; what stays in which memory, what is moved now. "
                      "Play through the loops, compare strategies, or drag a tile's edge."),
       has_tiling},
      {QStringLiteral("program"), QStringLiteral("Program"), compared<make_program_painter, ComparedArtifact::program>,
       make_program_widget,
       QStringLiteral("The program word by word: address, encoding, and what each field does. The lines of the steady "
                      "state run over and over."),
       has_of_program<&target::CompiledLayer::listing>},
      {QStringLiteral("stepper"), QStringLiteral("Stepper"), make_stepper_painter, make_stepper_widget,
       QStringLiteral("The machine in one cycle of the run: what each unit does or why it does nothing, what every "
                      "register, port and memory holds, what is written (marked) and read (dashed), and the pixels of "
                      "the window on the image with the lane that works with each. Full stop and comma go a cycle on "
                      "and back, Space runs; W asks who wrote what is picked, U for its next use, S for the next "
                      "stall; C compares with another cycle."),
       has_trace},
      {QStringLiteral("source"), QStringLiteral("Source"), make_source_painter, make_source_widget,
       QStringLiteral(
           "The generated program beside the syntax tree that it came from. A click in one marks the same in "
           "the other; bars tell which share of all floating-point operations is spent inside. Earlier "
           "stages show what each manipulator changed."),
       has_source},
      {QStringLiteral("memory"), QStringLiteral("Memory"), compared<make_memory_painter, ComparedArtifact::memory>,
       make_memory_widget,
       QStringLiteral(
           "What lies where in the machine's memories, and from when to when: addresses run down, cycles across."),
       has_of_program<&target::CompiledLayer::memory_map>},
      {QStringLiteral("why"), QStringLiteral("Why"), make_why_painter, make_why_widget,
       QStringLiteral(
           "Why the layer is as fast as it is: the bounds, what would bind next, what was not taken and what it "
           "would cost; how far the selected operation could move and what holds it; and of the selected "
           "cycle, slot by slot, what stands there or why nothing does. Full stop and comma go a cycle on "
           "and back, Shift with up and down from operation to operation.")},
      {QStringLiteral("roofline"), QStringLiteral("Roofline"), make_roofline_painter, make_roofline_widget,
       QStringLiteral("How fast each layer could be with this machine's arithmetic and bandwidth, and how fast it is. "
                      "A layer below the slanted roof waits for data, one below the flat roof for arithmetic. Both "
                      "axes are logarithmic.")},
      {QStringLiteral("utilization"), QStringLiteral("Utilization"), make_utilization_painter, make_utilization_widget,
       QStringLiteral("The share of the machine's peak that each layer reaches, at each level of optimization, beside "
                      "manual code and published figures where there are some.")},
      {QStringLiteral("traffic"), QStringLiteral("Traffic"), make_traffic_painter, make_traffic_widget,
       QStringLiteral("Bytes that each layer moves to and from the machine: inputs, outputs, weights.")},
      {QStringLiteral("breakdown"), QStringLiteral("Breakdown"), make_breakdown_painter, make_breakdown_widget,
       QStringLiteral("What the cycles of each layer are spent on: in cycles above, in percent below, with the whole "
                      "network as last bar. A click selects the layer everywhere.")},
      {QStringLiteral("compare"), QStringLiteral("Compare"), make_compare_painter, make_compare_widget,
       QStringLiteral("How each layer differs from the chosen baseline: a bar to the left for less, to the right for "
                      "more, full where that is better and hatched where it is worse. Pin a run first, then change "
                      "something."),
       has_baseline, ViewRole::comparison},
      {QStringLiteral("sweep"), QStringLiteral("Sweep"), make_scatter_painter, make_scatter_widget,
       QStringLiteral("Each machine of a sweep as a point of two of its figures. Points on the front are outlined and "
                      "joined by steps: no other machine is better in everything. A click opens a point's machine; "
                      "Ctrl+click marks two to compare; the arrow keys walk along the front."),
       has_sweep, ViewRole::sweep},
      {QStringLiteral("parallel"), QStringLiteral("Parallel coordinates"), make_parallel_painter, make_parallel_widget,
       QStringLiteral("Each machine of a sweep as a line over all parameters and figures. Drag on an axis to brush it: "
                      "lines outside fade, here and in the other views of the sweep. Drag a title to move its axis, "
                      "click it to turn the axis over; Escape clears all brushes."),
       has_sweep, ViewRole::sweep_axes},
      {QStringLiteral("search-tree"), QStringLiteral("Search tree"), make_search_tree_painter, make_search_tree_widget,
       QStringLiteral(
           "What was decided for the layer's program, level after level: the value that was taken, what else "
           "could have been and how likely it is drawn, and what contradicts the decisions before, with the "
           "reason under the pointer."),
       has_tree},
      {QStringLiteral("search-progress"), QStringLiteral("Search progress"), make_search_progress_painter,
       make_search_progress_widget,
       QStringLiteral("All paths that were tried for the layer, in order: estimated times as circles, measured ones as "
                      "discs, and the best so far as a line."),
       has_tree},
      {QStringLiteral("search-scatter"), QStringLiteral("Estimate and measured"), make_estimate_scatter_painter,
       make_estimate_scatter_widget,
       QStringLiteral(
           "Each path that was run: its measured time over its estimated one. On the line both are the same; "
           "how well the estimate ranks is how well the points rise."),
       has_tree},
      {QStringLiteral("search-error"), QStringLiteral("Error and time"), make_error_speed_painter,
       make_error_speed_widget,
       QStringLiteral("The largest error of each path that was run, over its time, a colour for each way of computing. "
                      "The dashed line is the bound that was asked for; rings were left out for their error."),
       has_tree},
      {QStringLiteral("helps"), QStringLiteral("What helps most"), make_sensitivity_painter, make_sensitivity_widget,
       QStringLiteral("Each parameter of the machine moved one step and to its limit, everything compiled again: what "
                      "that saves of the time to the right, what it costs to the left, and which resource binds before "
                      "and after. A click makes the change."),
       has_sensitivity, ViewRole::sensitivity},
      {QStringLiteral("quantization"), QStringLiteral("Quantization"), make_quantization_painter,
       make_quantization_widget,
       QStringLiteral(
           "The network in fixed point: above, how far each tensor is above the noise of rounding, along the "
           "network, and which layers add most noise; below, how the selected layer's values lie in "
           "their formats: magnitudes by powers of two, with the bits of the word marked. A click selects "
           "the layer everywhere."),
       has_quantization, ViewRole::quantization},
  };
  return entries;
}

const ViewEntry& find_view(ViewRole role) {
  const auto& entries = view_entries();
  return *std::find_if(entries.begin(), entries.end(), [&](const ViewEntry& entry) { return entry.role == role; });
}

const ViewEntry* find_view(const QString& id) {
  const auto& entries = view_entries();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const ViewEntry& entry) { return entry.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace convscope::ui
