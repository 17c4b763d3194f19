#include <pybind11/stl.h>

#include "app/python/errors.h"
#include "app/python/interruptible.h"
#include "app/python/objects.h"
#include "app/request/published.h"
#include "app/request/request.h"
#include "core/base/sample_network.h"
#include "core/engine/faults.h"
#include "core/figures/compiled_report.h"

namespace convscope::python {
namespace {

namespace py = pybind11;

Network open_network(const std::string& file, std::optional<int> batch, const std::string& input_size) {
  Diagnostics diagnostics;
  if (batch && *batch < 1) throw py::value_error("a batch has one image or more");
  if (!input_size.empty() && !request::parse_size(input_size))
    throw py::value_error("'" + input_size + "' is not HEIGHTxWIDTH in pixels");
  const request::NetworkChoice choice{network_path(file), {}, batch, input_size};
  auto network = interruptible([&](const std::stop_token&) {
    return standard_catalogue()->read_network(choice.file, diagnostics, request::resolve_sizes(choice));
  });
  raise_or_warn(diagnostics);
  return {std::make_shared<const network::Network>(std::move(network.value()))};
}

std::vector<std::string> layer_names(const Network& network) {
  std::vector<std::string> names;
  for (const network::Layer& layer : network.network->layers) names.push_back(layer.name);
  return names;
}

void raise_faults(const engine::CompiledNetwork& compiled) {
  for (const engine::Fault& fault : engine::faults(compiled))
    throw std::runtime_error(target::fault_reason(fault.text()));
}

/// As the command line does it: on all cores, with a cache of its own.
Compiled compile_network(const Network& network, const Machine& machine, const std::string& level,
                         const std::vector<std::string>& layers, int threads) {
  Diagnostics diagnostics;
  const auto resolved = request::resolve_level(level, *machine.target, diagnostics);
  std::vector<int> only = request::resolve_layers(layers, *network.network, diagnostics);
  raise_or_warn(diagnostics);
  const int visible = only.empty() ? 0 : only.front();
  const engine::Request request{
      network.network, machine.target, machine.values, *resolved, machine.preset, visible, only};
  auto compiled = interruptible([&](const std::stop_token& stop) {
    const auto executor = engine::make_tbb_executor(threads);
    const auto cache = engine::make_memory_cache();
    return engine::compile(request, *executor, *cache, stop);
  });
  raise_faults(compiled);
  return {std::move(compiled), std::move(only)};
}

/// The object of `report --json`, as text.
std::string report_of(const Compiled& compiled) {
  Diagnostics diagnostics;
  const analysis::PublishedTables published = request::load_published(diagnostics);
  raise_or_warn(diagnostics);
  return analysis::report_json(figures::report_of(compiled.compiled, published, compiled.layers));
}

py::dict units_of(const Compiled& compiled) {
  py::dict units;
  for (const artifact::FigureDescription& figure : compiled.compiled.target->figures())
    units[py::str(figure.key)] = figure.unit;
  return units;
}

}  // namespace

void bind_networks(py::module_& module) {
  py::class_<Network>(module, "Network")
      .def(py::init(&open_network), py::arg("file"), py::arg("batch"), py::arg("input_size"))
      .def_property_readonly("name", [](const Network& network) { return network.network->name; })
      .def("layer_names", &layer_names);
  py::class_<Compiled>(module, "Compiled")
      .def("report", &report_of)
      .def("units", &units_of)
      .def_property_readonly("level", [](const Compiled& compiled) { return compiled.compiled.level; });
  module.def("compile", &compile_network, py::arg("network"), py::arg("machine"), py::arg("level"), py::arg("layers"),
             py::arg("threads"));
}

}  // namespace convscope::python
