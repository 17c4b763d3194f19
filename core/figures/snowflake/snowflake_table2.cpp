#include "core/figures/samples.h"
#include "core/figures/snowflake/snowflake_figures.h"
#include "core/figures/snowflake/snowflake_networks.h"

namespace convscope::figures {
namespace {

constexpr const char* table = "snowflake-table2";

struct Run {
  double seconds = 0, bytes = 0, valid_macs = 0;
  int missing = 0;  ///< convolutions and pools without a program
};

void add(Run& run, const artifact::Metrics& metrics) {
  run.seconds += metrics.seconds.value;
  run.bytes += static_cast<double>(metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights) +
               target_figure(metrics, "bytes_instructions").value_or(0);
  run.valid_macs += target_figure(metrics, "valid_macs").value_or(0);
}

/// The paper's times don't count fully connected layers; what the host computes (Softmax) never took the machine's.
Run run_of(const engine::CompiledNetwork& compiled) {
  Run run;
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    const std::string& kind = compiled.network->layers[i].operator_name;
    if (compiled.layers[i]->mapped() && kind != "Gemm") add(run, compiled.layers[i]->metrics());
    if (!compiled.layers[i]->mapped() && (kind == "Conv" || kind.ends_with("Pool"))) ++run.missing;
  }
  return run;
}

Cell scaled(std::optional<double> value, double factor, const char* unit, Origin origin) {
  if (value) *value *= factor;
  return number_cell(value, unit, origin, 2);
}

void add_row(Figure& figure, const Environment& environment, const engine::CompiledNetwork& compiled,
             const snowflake::Machine& machine) {
  const Run run = run_of(compiled);
  const std::string& name = compiled.network->name;
  const auto seconds = environment.published->find(table, name, "", "seconds_without_fc");
  const auto rate = environment.published->find(table, name, "", "bytes_per_second_without_fc");
  const std::optional<double> bytes = seconds && rate ? std::optional(*seconds * *rate) : std::nullopt;
  figure.rows.push_back(
      {text_cell(name), text_cell(compiled.level), text_cell(compiled.linked ? "one program" : "layer by layer"),
       scaled(run.seconds, 1e3, "ms", Origin::simulated), scaled(seconds, 1e3, "ms", Origin::published),
       difference_cell(run.seconds, seconds), scaled(run.bytes / run.seconds, 1e-9, "GB/s", Origin::simulated),
       scaled(rate, 1e-9, "GB/s", Origin::published), scaled(run.bytes, 1e-6, "MB", Origin::simulated),
       scaled(bytes, 1e-6, "MB", Origin::derived), difference_cell(run.bytes, bytes),
       number_cell(run.valid_macs / machine.peak() / run.seconds, "%", Origin::simulated, 1)});
  if (run.missing > 0)
    figure.notes.push_back(name + ", level " + compiled.level +
                           ": layers without a program, not counted: " + std::to_string(run.missing));
}

}  // namespace

std::optional<Figure> snowflake_table2(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = snowflake_machine(environment, diagnostics);
  if (!machine) return std::nullopt;
  Figure figure{"snowflake-table2", "Whole networks but for their fully connected layers", "", {}, {}, {}};
  figure.columns = {"network",   "level",          "as",      "ms here",      "ms published",  "ms difference",
                    "GB/s here", "GB/s published", "MB here", "MB published", "MB difference", "of MAC limit"};
  for (const std::string& level : snowflake_levels(environment))
    for (const std::string& file : snowflake_samples()) {
      const auto request = sample_request(file, "snowflake", level, environment, diagnostics);
      if (!request) return std::nullopt;
      add_row(figure, environment, compile_sample(*request, environment), *machine);
    }
  figure.notes.insert(
      figure.notes.begin(),
      {"A layer's time runs from its predecessor's end to its own. MB published: its time multiplied by its GB/s.",
       "MB here: maps, bypass, kernels, outputs and instructions. ResNet50 strides in the 3x3: traffic speaks for "
       "it."});
  return figure;
}

}  // namespace convscope::figures
