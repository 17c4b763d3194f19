#include "core/figures/tso/tso_networks.h"

#include <algorithm>

#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

using nmp::CostLevel;
using nmp::Partition;
using nmp::Schedule;

std::optional<TsoNetwork> tso_network(const std::string& file, const Environment& environment,
                                      Diagnostics& diagnostics) {
  TsoNetwork result{sample_network(file, environment, diagnostics), {}};
  if (!result.network) return std::nullopt;
  for (const network::Layer& layer : result.network->layers) {
    if (layer.operator_name != "Conv") continue;
    std::string reason;
    const auto convolution = nmp::convolution_of(layer, reason);
    if (!convolution) {
      diagnostics.error({result.network->source_file, layer.source_line, layer.name}, reason);
      return std::nullopt;
    }
    result.convolutions.push_back(*convolution);
  }
  return result;
}

std::vector<TsoTimes> published_times(const std::vector<TsoColumn>& columns, const analysis::PublishedTables& tables) {
  std::vector<TsoTimes> times;
  for (const analysis::PublishedFigure& figure : tables.figures())
    if (figure.source == "tso-table1-burst") times.push_back({figure.network, {}, {}});
  for (TsoTimes& row : times) {
    row.ours.resize(columns.size());
    for (const TsoColumn& column : columns)
      row.published.push_back(tables.find("tso-table1-" + column.key, row.network, "", "seconds"));
  }
  return times;
}

}  // namespace

std::int64_t TsoNetwork::macs() const {
  std::int64_t sum = 0;
  for (const nmp::Convolution& convolution : convolutions) sum += convolution.macs();
  return sum;
}

std::vector<std::string> tso_samples() {
  return {"inception_v3.xml", "lenet.xml", "mobilenet_v2.xml", "resnet50.xml", "squeezenet_1_0.xml"};
}

std::vector<TsoNetwork> tso_networks(const Environment& environment, Diagnostics& diagnostics) {
  std::vector<TsoNetwork> networks;
  for (const std::string& file : tso_samples()) {
    auto network = tso_network(file, environment, diagnostics);
    if (!network) return {};
    networks.push_back(std::move(*network));
  }
  return networks;
}

std::optional<nmp::Machine> tso_machine(const Environment& environment, Diagnostics& diagnostics) {
  const std::shared_ptr<const target::Target> target = environment.catalogue->find_target("nmp");
  const auto values = target ? default_machine(*target, diagnostics) : std::nullopt;
  if (!values) return std::nullopt;
  return nmp::machine_from(*values);
}

std::vector<TsoColumn> tso_columns() {
  return {{"burst", "TSO", {CostLevel::burst, {}, {}}},
          {"no-burst", "no burst", {CostLevel::volume, {}, {}}},
          {"ks", "KS", {CostLevel::burst, Partition::filters, {}}},
          {"ks-ofm", "KS&OFM", {CostLevel::burst, Partition::filters_and_rows, {}}},
          {"ofm", "OFM", {CostLevel::burst, Partition::rows, {}}},
          {"is", "IS", {CostLevel::burst, {}, Schedule::input_stationary}},
          {"os", "OS", {CostLevel::burst, {}, Schedule::output_stationary}},
          {"ws", "WS", {CostLevel::burst, {}, Schedule::weight_stationary}}};
}

Solutions solve_all(const TsoNetwork& network, const nmp::Machine& machine, const nmp::SearchOptions& options,
                    const Environment& environment) {
  Solutions solutions(network.convolutions.size());
  environment.executor->parallel_for(static_cast<int>(solutions.size()), [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    solutions[at] = nmp::solve(network.convolutions[at], machine, options, *environment.cache, environment.stop);
  });
  return solutions;
}

double total_seconds(const Solutions& solutions) {
  double sum = 0;
  for (const auto& solution : solutions) sum += solution->seconds.total();
  return sum;
}

std::vector<TsoTimes> tso_times(const std::vector<TsoColumn>& columns, const Environment& environment,
                                Diagnostics& diagnostics) {
  const std::vector<TsoNetwork> networks = tso_networks(environment, diagnostics);
  const auto machine = tso_machine(environment, diagnostics);
  if (networks.empty() || !machine) return {};
  std::vector<TsoTimes> times = published_times(columns, *environment.published);
  if (times.empty()) diagnostics.error({}, "the published times of Table I are missing");
  double done = 0;
  for (const TsoNetwork& network : networks) {
    const auto row = std::find_if(times.begin(), times.end(),
                                  [&](const TsoTimes& each) { return each.network == network.network->name; });
    for (std::size_t c = 0; c < columns.size() && row != times.end(); ++c) {
      row->ours[c] = total_seconds(solve_all(network, *machine, columns[c].options, environment));
      if (environment.progress)
        environment.progress((done + static_cast<double>(c + 1) / static_cast<double>(columns.size())) /
                                 static_cast<double>(networks.size()),
                             network.network->name);
    }
    ++done;
  }
  return times;
}

}  // namespace convscope::figures
