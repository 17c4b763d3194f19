#pragma once
// From a module and the modules in it to a graph.

#include <memory>
#include <optional>

#include "core/network/graph.h"
#include "core/readers/common/report.h"
#include "core/readers/torch7/archive.h"

namespace convscope::readers::torch7 {

/// The network in the file: its root, or what tables from the root on hold nearest; of several in a table the one
/// that is called model or net. Nothing, with an error, if there is none.
std::optional<Value> find_network(const Archive& archive, Report& report);

/// The module's graph; errors are collected. Null after an error.
std::shared_ptr<const network::Graph> translate(const Archive& archive, const Value& module, Report& report);

}  // namespace convscope::readers::torch7
