#include "core/nve/artifacts/layer_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/nve/architecture/stored_column.h"
#include "core/nve/artifacts/figures.h"
#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/core_sharing.h"
#include "core/schedule/bounds/bounds.h"

namespace convscope::nve {
namespace {

using artifact::Metrics;

// What all programs of a layer add up to, over all strips.
struct LayerSums {
  std::int64_t instructions = 0, strip_macs = 0, stored_instructions = 0, interval = 0, interval_bound = 0;
  std::int64_t pixel_words = 0, coefficient_words = 0, output_words = 0, columns = 0;
  std::int64_t load = 0, compute = 0;
  std::map<std::string, std::int64_t> bound;  // by resource
  std::vector<std::int64_t> program_cycles;
};

void add_traffic(LayerSums& sums, const Program& program, std::int64_t strips) {
  const StripTraffic traffic = strip_traffic(program);
  sums.pixel_words += traffic.pixel_words * strips;
  sums.coefficient_words += traffic.coefficient_words * strips;
  sums.output_words += traffic.output_words * strips;
  sums.columns += traffic.columns * strips;
}

void add_program(LayerSums& sums, const LayerProgram& program, const Layout& layout, const Machine& machine) {
  const Program bound = bind_program(*program.scheduled, program.group, frame_of(layout.part), {}, machine);
  const std::int64_t strips = std::int64_t{bound.strips()} * layout.parts;
  const std::int64_t cycles = bound.cycles_per_strip() * strips;
  sums.program_cycles.push_back(cycles);
  sums.instructions += cycles;
  sums.strip_macs += std::llround(static_cast<double>(bound.macs_per_strip() * strips) * layout.weight_share());
  sums.stored_instructions += static_cast<std::int64_t>(bound.words.size());
  sums.interval += bound.cycles_per_iteration();
  sums.load += bound.prologue_begin * strips;  // behind it, multiply-accumulates may be issued
  add_traffic(sums, bound, strips);
  int resource = 0;
  std::int64_t interval = schedule::resource_bound(program.scheduled->loop.problem, &resource);
  const auto& certificate = program.scheduled->certificate;
  if (program.scheduled->looped()) {
    const auto uses = uses_of_iteration(*program.scheduled);
    const auto most = std::max_element(uses.begin(), uses.end());
    resource = static_cast<int>(most - uses.begin());
    interval = *most;
  }
  sums.interval_bound += certificate && !program.scheduled->looped() ? certificate->bound : interval;
  sums.bound[program.scheduled->loop.problem.resources[static_cast<std::size_t>(resource)].name] +=
      interval * (bound.iterations + program.scheduled->emitted.peeled) * strips;
  sums.compute += bound.macs_per_strip() / bound.rows_per_strip() * strips;
}

void add_sums(LayerSums& sums, const LayerSums& program) {
  for (const auto member :
       {&LayerSums::instructions, &LayerSums::strip_macs, &LayerSums::stored_instructions, &LayerSums::interval,
        &LayerSums::interval_bound, &LayerSums::pixel_words, &LayerSums::coefficient_words, &LayerSums::output_words,
        &LayerSums::columns, &LayerSums::load, &LayerSums::compute})
    sums.*member += program.*member;
  for (const auto& [resource, cycles] : program.bound) sums.bound[resource] += cycles;
  sums.program_cycles.insert(sums.program_cycles.end(), program.program_cycles.begin(), program.program_cycles.end());
}

// Programs that share a schedule and are tiled alike differ only in names.
LayerSums sum_up(const Layout& layout, const std::vector<LayerProgram>& programs, const Machine& machine) {
  LayerSums sums;
  std::map<std::pair<const StructureProgram*, int>, LayerSums> known;
  for (const LayerProgram& program : programs) {
    const auto [one, is_new] = known.try_emplace({program.scheduled.pointer().get(), program.group.tiles});
    if (is_new) add_program(one->second, program, layout, machine);
    add_sums(sums, one->second);
  }
  return sums;
}

artifact::Bound bound_of(const LayerSums& sums, int cores) {
  artifact::Bound bound{{}, 0, true};
  std::int64_t largest = 0;
  for (const auto& [resource, cycles] : sums.bound) {
    bound.cycles += cycles;
    if (cycles > largest) largest = cycles, bound.kind = resource;
  }
  bound.cycles = (bound.cycles + cores - 1) / cores;
  return bound;
}

double ratio(std::int64_t a, std::int64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

void add_figure(Metrics& metrics, const char* key, double value, Origin origin = Origin::derived) {
  metrics.target_figures.push_back(artifact::described(figure_descriptions(), key, value, origin));
}

void set_time(Metrics& metrics, const LayerSums& sums, const Machine& machine) {
  const std::int64_t word_bytes = machine.port_bits / 8;
  const double transfer =
      transfer_seconds(machine.transfer_mode, metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights,
                       sums.pixel_words * word_bytes, sums.columns, machine);
  const double compute = metrics.cycles.value / machine.clock_hz;
  metrics.seconds = {std::max(compute, transfer), "s", transfer > compute ? Origin::estimate : Origin::derived};
  add_figure(metrics, "seconds_compute", compute);
  add_figure(metrics, "seconds_transfer", transfer, Origin::estimate);
}

void set_figures(Metrics& metrics, const LayerSums& sums, const network::Layer& layer, std::size_t programs) {
  const auto count = [&](const char* key, std::int64_t value) { add_figure(metrics, key, static_cast<double>(value)); };
  add_figure(metrics, "mac_per_instruction", ratio(sums.strip_macs, sums.instructions));
  add_figure(metrics, "effective_mac_per_instruction", ratio(layer.macs(), sums.instructions));
  count("instructions", sums.instructions);
  count("stored_instructions", sums.stored_instructions);
  count("initiation_interval", sums.interval);
  count("interval_bound", sums.interval_bound);
  count("words_transferred", sums.pixel_words + sums.coefficient_words + sums.output_words);
  count("programs", static_cast<std::int64_t>(programs));
  count("pixel_columns", sums.columns);
  count("strip_macs", sums.strip_macs);
}

double figure_value(const Metrics& metrics, const char* key) {
  const Quantity* found = metrics.find(key);
  return found == nullptr ? 0 : found->value;
}

void add_breakdown(Metrics& total, const Metrics& layer) {
  for (const artifact::BreakdownPart& part : layer.breakdown) {
    const auto same = std::find_if(total.breakdown.begin(), total.breakdown.end(),
                                   [&](const artifact::BreakdownPart& each) { return each.name == part.name; });
    if (same == total.breakdown.end())
      total.breakdown.push_back(part);
    else
      same->cycles += part.cycles;
  }
}

void add_to_total(Metrics& total, const Metrics& layer) {
  add_breakdown(total, layer);
  total.macs += layer.macs;
  total.cycles.value += layer.cycles.value;
  total.cycles.origin = weaker(total.cycles.origin, layer.cycles.origin);
  total.seconds.value += layer.seconds.value;
  total.seconds.origin = weaker(total.seconds.origin, layer.seconds.origin);
  total.bytes_in += layer.bytes_in;
  total.bytes_out += layer.bytes_out;
  total.bytes_weights += layer.bytes_weights;
  total.bound.cycles += layer.bound.cycles;
  total.bound.proven = total.bound.proven && layer.bound.proven;
  total.verified = total.verified && layer.verified;
}

}  // namespace

StripTraffic strip_traffic(const Program& program) {
  StripTraffic traffic;
  // A descriptor brings what lies together: a column, or one phase of it. Half a vector leaves its first word out.
  const StoredColumn column = program.stored_column();
  const int first = program.first_lane() * program.lane_stride() / program.machine.pixels_per_word();
  const auto starts = [&](int word) { return column.place(word) == first; };
  const auto add = [&](const SectionTraffic& section, std::int64_t times) {
    for (const StreamWord& item : section.stream) {
      const bool pixels = item.holds_pixels();
      (pixels ? traffic.pixel_words : traffic.coefficient_words) += times;
      if (pixels && starts(item.word)) traffic.columns += times;
    }
    traffic.output_words +=
        times * static_cast<std::int64_t>(section.outputs.size()) * program.machine.words_per_activation();
  };
  add(program.initial, 1);
  add(program.repeat, program.iterations);
  add(program.pass, std::int64_t{program.iterations} * program.passes);
  add(program.final, 1);
  return traffic;
}

double transfer_seconds(TransferMode mode, std::int64_t bytes, std::int64_t pixel_bytes, std::int64_t columns,
                        const Machine& machine) {
  const double moving = static_cast<double>(bytes) / machine.bandwidth;
  switch (mode) {
    case TransferMode::continuous:
      return moving;
    case TransferMode::host_reordered:
      return moving + static_cast<double>(pixel_bytes) / machine.host_copy_bandwidth;
    case TransferMode::scatter_gather:
      return moving + static_cast<double>(columns) * machine.descriptor_cycles / machine.clock_hz;
  }
  return moving;
}

Metrics layer_metrics(const Layout& layout, const std::vector<LayerProgram>& programs, const Machine& machine,
                      bool verified) {
  const network::Layer& layer = layout.whole;
  const LayerSums sums = sum_up(layout, programs, machine);
  const std::int64_t word_bytes = machine.port_bits / 8;
  Metrics metrics;
  metrics.macs = layer.macs();
  metrics.cycles.value = static_cast<double>(busiest_core(sums.program_cycles, machine.cores));
  metrics.utilization.value =
      static_cast<double>(metrics.macs) / (metrics.cycles.value * machine.lanes * machine.cores);
  metrics.bytes_in = sums.pixel_words * word_bytes;
  metrics.bytes_weights = sums.coefficient_words * word_bytes;
  metrics.bytes_out = sums.output_words * word_bytes;
  metrics.bound = bound_of(sums, machine.cores);
  metrics.verified = verified;
  metrics.breakdown = {{"load", sums.load},
                       {"multiply-accumulate", sums.compute},
                       {"other", sums.instructions - sums.load - sums.compute}};
  set_figures(metrics, sums, layer, programs.size());
  set_time(metrics, sums, machine);
  return metrics;
}

Metrics unmapped_metrics(const network::Layer& layer) {
  Metrics metrics;
  metrics.macs = layer.macs();
  return metrics;
}

Metrics total_metrics(const std::vector<Metrics>& layers, const Machine& machine) {
  Metrics total;
  total.verified = total.bound.proven = !layers.empty();
  double weighted = 0, instructions = 0, strip_macs = 0, words = 0, programs = 0;
  for (const Metrics& layer : layers) {
    add_to_total(total, layer);
    weighted += static_cast<double>(layer.macs) * figure_value(layer, "mac_per_instruction");
    instructions += figure_value(layer, "instructions");
    strip_macs += figure_value(layer, "strip_macs");
    words += figure_value(layer, "words_transferred");
    programs += figure_value(layer, "programs");
  }
  if (total.cycles.value > 0)
    total.utilization.value = static_cast<double>(total.macs) / (total.cycles.value * machine.lanes * machine.cores);
  add_figure(total, "mac_per_instruction", total.macs > 0 ? weighted / static_cast<double>(total.macs) : 0);
  add_figure(total, "overall_mac_per_instruction", instructions > 0 ? strip_macs / instructions : 0);
  add_figure(total, "instructions", instructions);
  add_figure(total, "words_transferred", words);
  add_figure(total, "programs", programs);
  return total;
}

}  // namespace convscope::nve
