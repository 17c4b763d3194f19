#include "core/nmp/host/run.h"

#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/nmp/host/reference_output.h"
#include "core/nmp/host/seeded_data.h"

namespace convscope::nmp {
namespace {

template <typename Visit>
void each_output(const ProgramLayer& layer, Visit visit) {
  for (int m = 0; m < layer.out.maps; ++m)
    for (int r = 0; r < layer.out.rows; ++r)
      for (int c = 0; c < layer.out.columns; ++c)
        visit(m, r, c,
              layer.out.first_byte + m * layer.out.map_pitch + r * layer.out.row_pitch +
                  std::int64_t{c} * layer.element_bytes);
}

/// What the layers leave in DRAM, one after the other.
void compute(const Program& program, std::span<std::uint8_t> dram, const LayerOutput& computed,
             const std::stop_token& stop) {
  for (std::size_t i = 0; i < program.layers.size(); ++i) {
    const ProgramLayer& layer = program.layers[i];
    const std::vector<std::int32_t> output = reference_output(layer, dram, stop);
    if (computed) computed(i, output);
    auto next = output.begin();
    each_output(layer,
                [&](int, int, int, std::int64_t byte) { write_element(dram, byte, layer.element_bytes, *next++); });
  }
}

// Where another layer has written since, both hold what that one computed.
void compare(const ProgramLayer& layer, std::span<const std::uint8_t> expected, std::span<const std::uint8_t> dram,
             ComparedRun& run) {
  each_output(layer, [&](int m, int r, int c, std::int64_t byte) {
    const std::int32_t wanted = read_element(expected, byte, layer.element_bytes);
    const std::int32_t found = read_element(dram, byte, layer.element_bytes);
    ++run.outputs;
    if (found == wanted || run.different++ > 0) return;
    run.first_difference =
        fmt::format("layer '{}', map {}, row {}, column {}: expected {}, found {}", layer.name, m, r, c, wanted, found);
  });
}

/// What comparing would take beyond what anybody waits for, or has memory for; empty if it is little enough.
std::string too_much_to_compare(const Program& program, std::int64_t most_macs) {
  constexpr std::int64_t most_elements = std::int64_t{1} << 27;
  const auto elements_of = [](const MapsPlace& place) { return std::int64_t{place.maps} * place.rows * place.columns; };
  double macs = 0;
  std::int64_t elements = 0;
  for (const ProgramLayer& l : program.layers) {
    const std::int64_t filter = std::int64_t{l.channels} * l.vertical.kernel * l.horizontal.kernel;
    macs += static_cast<double>(elements_of(l.out)) * static_cast<double>(filter);
    elements += elements_of(l.in) + elements_of(l.out) + elements_of(l.residual) + l.weight_elements();
  }
  if (macs > static_cast<double>(most_macs))
    return fmt::format("a reference of {} MACs; expected at most {}", macs, most_macs);
  if (elements > most_elements)
    return fmt::format("layers of {} elements; expected at most {}", elements, most_elements);
  return {};
}

std::optional<ComparedRun> refused_as_too_much(const Program& program, const SimulationOptions& options) {
  std::string what = too_much_to_compare(program, options.work_budget);
  if (what.empty()) return std::nullopt;
  ComparedRun run;
  run.result.refusal.emplace().what = std::move(what);
  return run;
}

}  // namespace

std::string ComparedRun::text() const {
  if (result.refusal) return "refused: " + result.refusal->text();
  if (different > 0) return fmt::format("{} ({} of {} outputs differ)", first_difference, different, outputs);
  return "equal";
}

ComparedRun run_and_compare(const Program& program, std::vector<std::uint8_t> dram, const SimulationOptions& options,
                            Observer* observer, const std::stop_token& stop, const LayerOutput& computed) {
  if (auto refused = refused_as_too_much(program, options)) return *std::move(refused);
  ComparedRun run;
  std::vector<std::uint8_t> expected = dram;
  compute(program, expected, computed, stop);
  run.result = simulate(program, dram, options, observer, stop);
  if (run.result.refusal) return run;
  for (const ProgramLayer& layer : program.layers) compare(layer, expected, dram, run);
  return run;
}

ComparedRun run_and_compare(const Program& program, std::uint64_t seed, const SimulationOptions& options,
                            Observer* observer, const std::stop_token& stop) {
  if (auto refused = refused_as_too_much(program, options)) return *std::move(refused);
  return run_and_compare(program, seeded_dram(program, seed), options, observer, stop);
}

}  // namespace convscope::nmp
