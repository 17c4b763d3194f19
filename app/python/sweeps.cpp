#include <algorithm>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "app/python/errors.h"
#include "app/python/interruptible.h"
#include "app/python/objects.h"
#include "core/explore/results/results_table.h"
#include "core/explore/results/sweep_table_builder.h"
#include "core/explore/space/space_reader.h"
#include "core/explore/sweep/sweep.h"

namespace convscope::python {
namespace {

namespace py = pybind11;

struct Space {
  std::shared_ptr<const explore::Space> space;
};

struct Table {
  std::shared_ptr<const explore::SweepTable> table;
};

Space space_of(std::optional<explore::Space> read, const Diagnostics& diagnostics) {
  raise_or_warn(diagnostics);
  return {std::make_shared<const explore::Space>(std::move(read.value()))};
}

Space open_space(const std::string& path) {
  Diagnostics diagnostics;
  auto read = interruptible(
      [&](const std::stop_token&) { return explore::read_space_file(path, standard_catalogue(), diagnostics); });
  return space_of(std::move(read), diagnostics);
}

Space parse_space(const std::string& xml, const std::string& folder) {
  Diagnostics diagnostics;
  const auto sources = explore::file_sources(folder, standard_catalogue());
  auto read = interruptible(
      [&](const std::stop_token&) { return explore::read_space(xml, "the space", *sources, diagnostics); });
  return space_of(std::move(read), diagnostics);
}

struct SweepChoice {
  std::string strategy;
  std::uint64_t budget = 0, seed = 1;
  std::string output;  ///< empty: nothing is kept in a file
  bool resume = false;
  int threads = 0;
};

explore::StrategyOptions strategy_of(const SweepChoice& choice) {
  using explore::StrategyKind;
  if (choice.strategy == "grid") return {StrategyKind::grid, choice.budget, choice.seed, {}};
  if (choice.strategy == "random") return {StrategyKind::random, choice.budget, choice.seed, {}};
  if (choice.strategy == "refine") return {StrategyKind::refine, choice.budget, choice.seed, {}};
  throw py::value_error("there is no strategy '" + choice.strategy + "'; expected grid, random or refine");
}

std::unique_ptr<explore::ResultsFile> file_of(const SweepChoice& choice, const Space& space,
                                              const explore::StrategyOptions& strategy, Diagnostics& diagnostics) {
  const explore::ResultsIdentity identity{"convscope " CONVSCOPE_VERSION, explore::strategy_text(strategy),
                                          strategy.shard};
  return choice.resume ? explore::ResultsFile::resume(choice.output, space.space, identity, diagnostics)
                       : explore::ResultsFile::create(choice.output, space.space, identity, diagnostics);
}

/// Throws if points failed: the fault is ours then.
std::string state_text(explore::SweepEnd end, const explore::SweepState& state) {
  if (!state.failed.empty()) throw std::runtime_error("points failed: " + state.failed.begin()->first);
  return end == explore::SweepEnd::finished ? "finished" : "cancelled";
}

Table run_sweep(const Space& space, const SweepChoice& choice) {
  Diagnostics diagnostics;
  const explore::StrategyOptions options = strategy_of(choice);
  explore::check_strategy(options, *space.space, diagnostics);
  raise_or_warn(diagnostics);
  auto table = interruptible([&](const std::stop_token& stop) -> std::shared_ptr<const explore::SweepTable> {
    const auto file = choice.output.empty() ? nullptr : file_of(choice, space, options, diagnostics);
    if (!choice.output.empty() && !file) return nullptr;
    explore::SweepTableBuilder builder(space.space);
    explore::Sweep sweep(space.space, explore::make_strategy(options, space.space), file.get());
    const auto executor = engine::make_tbb_executor(choice.threads);
    const auto cache = explore::make_sweep_cache();
    const explore::SweepListener listener{
        [&](const std::shared_ptr<const explore::PointResult>& result) { builder.add(*result); }, {}};
    const explore::SweepEnd end = sweep.run(*executor, *cache, stop, listener, diagnostics);
    if (end == explore::SweepEnd::finished && file) file->finish(diagnostics);
    return builder.table(state_text(end, sweep.state()));
  });
  raise_or_warn(diagnostics);
  return {std::move(table)};
}

Table open_results(const std::string& path) {
  Diagnostics diagnostics;
  auto table = interruptible([&](const std::stop_token&) {
    return explore::read_results_table(path, {}, "read", standard_catalogue(), diagnostics);
  });
  raise_or_warn(diagnostics);
  return {std::move(table)};
}

/// Numbers as an array of doubles, names as a list; of each row.
py::object values_of(const explore::SweepColumn& column) {
  if (column.names.empty())
    return py::array_t<double>(static_cast<py::ssize_t>(column.values.size()), column.values.data());
  py::list names;
  for (const double value : column.values) {
    if (value != value) {
      names.append(py::none());
    } else {
      names.append(column.names.at(static_cast<std::size_t>(value)));
    }
  }
  return names;
}

py::list columns_of(const Table& table) {
  py::list list;
  for (const explore::SweepColumn& column : table.table->columns) {
    py::dict entry;
    entry["key"] = column.key;
    entry["label"] = column.label;
    entry["unit"] = column.unit;
    entry["origin"] = std::string(origin_name(column.origin));
    entry["objective"] = column.kind == explore::ColumnKind::objective;
    entry["maximize"] = column.maximize;
    entry["values"] = values_of(column);
    list.append(entry);
  }
  return list;
}

py::array_t<bool> flags(const std::vector<std::uint8_t>& marks) {
  py::array_t<bool> array(static_cast<py::ssize_t>(marks.size()));
  std::transform(marks.begin(), marks.end(), array.mutable_data(), [](std::uint8_t mark) { return mark != 0; });
  return array;
}

py::array_t<std::uint64_t> points_of(const Table& table) {
  return py::array_t<std::uint64_t>(static_cast<py::ssize_t>(table.table->points.size()), table.table->points.data());
}

std::vector<std::string> objectives_of(const Table& table) {
  std::vector<std::string> keys;
  for (const explore::Objective& objective : table.table->objectives) keys.push_back(objective.key);
  return keys;
}

}  // namespace

void bind_sweeps(py::module_& module) {
  py::class_<Space>(module, "Space")
      .def_static("open", &open_space, py::arg("path"))
      .def_static("parse", &parse_space, py::arg("xml"), py::arg("folder"))
      .def_property_readonly("title", [](const Space& space) { return space.space->title; })
      .def_property_readonly("xml", [](const Space& space) { return space.space->source; })
      .def("size", [](const Space& space) { return space.space->size(); });
  py::class_<Table>(module, "Table")
      .def("columns", &columns_of)
      .def("points", &points_of)
      .def("on_front", [](const Table& table) { return flags(table.table->on_front); })
      .def("comparable", [](const Table& table) { return flags(table.table->comparable); })
      .def("objectives", &objectives_of)
      .def_property_readonly("title", [](const Table& table) { return table.table->title; })
      .def_property_readonly("removed", [](const Table& table) { return table.table->removed; });
  module.def(
      "sweep",
      [](const Space& space, const std::string& strategy, std::uint64_t budget, std::uint64_t seed,
         const std::string& output, bool resume, int threads) {
        return run_sweep(space, {strategy, budget, seed, output, resume, threads});
      },
      py::arg("space"), py::arg("strategy"), py::arg("budget"), py::arg("seed"), py::arg("output"), py::arg("resume"),
      py::arg("threads"));
  module.def("results", &open_results, py::arg("path"));
}

}  // namespace convscope::python
