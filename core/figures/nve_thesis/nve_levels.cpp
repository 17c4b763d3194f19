#include "core/figures/nve_thesis/nve_levels.h"

#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

bool add_network(std::vector<LevelRow>& rows, const char* file, std::string_view key, const Environment& environment,
                 Diagnostics& diagnostics) {
  const std::size_t first = rows.size();
  for (std::size_t level = 0; level < nve_levels.size(); ++level) {
    const auto request = sample_request(file, "nve", nve_levels[level], environment, diagnostics);
    if (!request) return false;
    const engine::CompiledNetwork compiled = compile_sample(*request, environment);
    const auto& layers = compiled.network->layers;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (level == 0) rows.push_back({compiled.network->name, layers[i].name, {}});
      if (compiled.layers[i]) rows[first + i].values[level] = target_figure(compiled.layers[i]->metrics(), key);
    }
  }
  return true;
}

}  // namespace

std::vector<LevelRow> at_nve_levels(std::string_view key, const Environment& environment, Diagnostics& diagnostics) {
  std::vector<LevelRow> rows;
  for (const char* file : thesis_networks)
    if (!add_network(rows, file, key, environment, diagnostics)) return {};
  return rows;
}

std::optional<double> mean_change(const std::vector<LevelRow>& rows, std::size_t before, std::size_t now) {
  double sum = 0;
  int count = 0;
  for (const LevelRow& row : rows) {
    if (!row.values[before] || !row.values[now] || *row.values[before] == 0) continue;
    sum += *row.values[now] / *row.values[before] - 1;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace convscope::figures
