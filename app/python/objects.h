#pragma once
// What Python holds of the engine's. The package in convscope/ gives it the shape that people use.

#include <memory>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "core/analysis/published.h"
#include "core/catalogue/catalogue.h"
#include "core/engine/engine.h"

namespace convscope::python {

const catalogue::CataloguePointer& standard_catalogue();

struct Network {
  std::shared_ptr<const network::Network> network;
};

struct Machine {
  std::shared_ptr<const target::Target> target;
  arch::ParameterValues values;
  std::string preset;
};

struct Compiled {
  engine::CompiledNetwork compiled;
  std::vector<int> layers;  ///< that were asked for; empty: all
};

void bind_machines(pybind11::module_& module);
void bind_networks(pybind11::module_& module);
void bind_sweeps(pybind11::module_& module);

}  // namespace convscope::python
