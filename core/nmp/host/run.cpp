#include "core/nmp/host/run.h"

#include <fmt/format.h>

#include "core/nmp/host/reference_output.h"
#include "core/nmp/host/seeded_data.h"

namespace convscope::nmp {
namespace {

void compare(const ProgramLayer& layer, const std::vector<std::int32_t>& expected,
             const std::vector<std::uint8_t>& dram, ComparedRun& run) {
  auto next = expected.begin();
  for (int m = 0; m < layer.out.maps; ++m)
    for (int r = 0; r < layer.out.rows; ++r)
      for (int c = 0; c < layer.out.columns; ++c, ++next) {
        const std::int64_t byte = layer.out.first_byte + m * layer.out.map_pitch + r * layer.out.row_pitch +
                                  std::int64_t{c} * layer.element_bytes;
        const std::int32_t found = read_element(dram, byte, layer.element_bytes);
        ++run.outputs;
        if (found == *next) continue;
        if (run.different++ == 0)
          run.first_difference = fmt::format("layer '{}', map {}, row {}, column {}: expected {}, found {}", layer.name,
                                             m, r, c, *next, found);
      }
}

}  // namespace

std::string ComparedRun::text() const {
  if (result.refusal) return "refused: " + result.refusal->text();
  if (different > 0) return fmt::format("{} ({} of {} outputs differ)", first_difference, different, outputs);
  return "equal";
}

ComparedRun run_and_compare(const Program& program, std::uint64_t seed, const SimulationOptions& options,
                            Observer* observer, const std::stop_token& stop) {
  std::vector<std::uint8_t> dram = seeded_dram(program, seed);
  std::vector<std::vector<std::int32_t>> expected;
  for (const ProgramLayer& layer : program.layers) expected.push_back(reference_output(layer, dram, stop));
  ComparedRun run;
  run.result = simulate(program, dram, options, observer, stop);
  if (run.result.refusal) return run;
  for (std::size_t i = 0; i < expected.size(); ++i) compare(program.layers[i], expected[i], dram, run);
  return run;
}

}  // namespace convscope::nmp
