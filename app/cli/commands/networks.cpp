#include <algorithm>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "core/analysis/comparison.h"
#include "core/analysis/table.h"
#include "core/base/resources.h"

namespace convscope::cli {
namespace {

struct Sample {
  std::string file;
  network::Network network;
};

std::vector<std::string> sample_files(Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code error;
  const std::string folder = sample_path("networks");
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  if (error)
    diagnostics.error({folder, 0, {}}, "the folder of samples can't be read: " + error.message(), {},
                      data_hint(folder));
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Sample> read_samples(const catalogue::Catalogue& catalogue, Diagnostics& diagnostics) {
  std::vector<Sample> samples;
  for (const std::string& file : sample_files(diagnostics)) {
    Diagnostics found;
    auto network = catalogue.read_network(file, found);
    // The samples' notes are known; only what keeps a sample from loading is news.
    if (!network)
      diagnostics.append(found);
    else
      samples.push_back({file, std::move(*network)});
  }
  return samples;
}

std::string samples_json(const std::vector<Sample>& samples) {
  nlohmann::ordered_json json{
      {"schema", "convscope-networks"}, {"version", 1}, {"networks", nlohmann::ordered_json::array()}};
  for (const auto& [file, network] : samples)
    json["networks"].push_back({{"name", network.name},
                                {"file", file},
                                {"layers", network.layers.size()},
                                {"macs", network.macs()},
                                {"bytes_once", analysis::bytes_once(network)}});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string samples_text(const std::vector<Sample>& samples) {
  analysis::TextTable table{{"network", "layers", "MACs", "pixels once", "file"}, {}};
  for (const auto& [file, network] : samples)
    table.rows.push_back(
        {network.name, std::to_string(network.layers.size()),
         format_quantity({static_cast<double>(network.macs()), "", Origin::derived}),
         format_quantity({static_cast<double>(analysis::bytes_once(network)), "byte", Origin::derived}), file});
  return analysis::aligned_text(table);
}

ExitCode run(bool json, Context& context) {
  Diagnostics diagnostics;
  const std::vector<Sample> samples = read_samples(*context.catalogue, diagnostics);
  context.console.report(diagnostics);
  context.console.data(json ? samples_json(samples) : samples_text(samples));
  return diagnostics.has_errors() ? refused : done;
}

}  // namespace

Command add_networks(CLI::App& program) {
  CLI::App* command = program.add_subcommand("networks", "The sample networks");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  return {command, [json](Context& context) { return run(*json, context); }};
}

}  // namespace convscope::cli
