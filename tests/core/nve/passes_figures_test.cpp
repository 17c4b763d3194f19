// The 3x3 filter, cycle by cycle, against the thesis's Figs 17, 24 and 26.
// The printed coefficient labels are partly stale, so slots are compared, not contents.

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/artifact/task_graph.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// What a figure's cell says of an operation, without its operands.
std::string kind_of(const artifact::TaskOperation& operation) {
  const std::string& label = operation.label;
  for (const char* kind : {"rd", "wr", "set rw", "sh rw", "setsh", "set ri", "sh ri", "set rb", "mac", "act"})
    if (label.rfind(kind, 0) == 0) return kind;
  return label;
}

// One row per cycle, one column per printed field. Row r holds the operations of cycle r + 1, modulo the number of
// rows: activations belong to the iteration before and wrap around.
Rows table(const artifact::TaskGraph& graph, std::int64_t rows) {
  const std::map<std::string, std::size_t> columns{{"MEMA", 0}, {"MEMB", 1}, {"WREG", 2},
                                                   {"IREG", 3}, {"VMAC", 4}, {"ACT", 5}};
  Rows result(static_cast<std::size_t>(rows), std::vector<std::string>(6));
  for (const artifact::TaskOperation& operation : graph.operations) {
    const auto column = columns.at(graph.resources[static_cast<std::size_t>(operation.resource)]);
    std::string& cell = result[static_cast<std::size_t>(operation.cycle % rows)][column];
    EXPECT_TRUE(cell.empty()) << cell << " and " << operation.label;
    cell = kind_of(operation);
  }
  return result;
}

Rows filter_3x3(const Switches& switches) {
  const auto compiled = compile(sample("filter_3x3").layers.front(), switches);
  EXPECT_TRUE(compiled->mapped()) << compiled->reason();
  const auto graph = compiled->task_graph(0);
  return table(*graph, graph->initiation_interval);
}

TEST(Figures, Figure17Unoptimized) {
  const Rows expected{
      {"rd", "", "", "", "", ""},
      {"rd", "rd", "", "", "", ""},
      {"", "rd", "set rw", "", "", ""},
      {"wr", "", "sh rw", "set ri", "set rb", ""},
      {"rd", "rd", "sh rw", "setsh", "mac", ""},
      {"rd", "", "sh rw", "sh ri", "mac", ""},
      {"wr", "rd", "", "set ri", "mac", "act"},
      {"wr", "", "set rw", "", "", "act"},
      {"rd", "rd", "sh rw", "setsh", "mac", ""},
      {"rd", "rd", "sh rw", "sh ri", "mac", ""},
      {"", "", "sh rw", "set ri", "mac", ""},
      {"", "", "set rw", "setsh", "mac", ""},
      {"", "", "sh rw", "sh ri", "mac", ""},
      {"", "", "", "", "mac", ""},
  };
  EXPECT_EQ(filter_3x3(none), expected);
}

TEST(Figures, Figure24CoefficientPacking) {
  const Rows expected{
      {"wr", "", "", "", "", ""},
      {"rd", "", "", "", "", ""},
      {"rd", "rd", "", "", "", ""},
      {"wr", "rd", "set rw", "", "", ""},
      {"rd", "", "sh rw", "set ri", "set rb", ""},
      {"rd", "rd", "sh rw", "setsh", "mac", ""},
      {"wr", "rd", "set rw", "sh ri", "mac", ""},
      {"rd", "", "sh rw", "set ri", "mac", "act"},
      {"rd", "rd", "sh rw", "setsh", "mac", "act"},
      {"", "rd", "set rw", "sh ri", "mac", ""},
      {"", "", "sh rw", "set ri", "mac", ""},
      {"", "", "sh rw", "setsh", "mac", ""},
      {"", "", "sh rw", "sh ri", "mac", ""},
      {"", "", "", "", "mac", ""},
  };
  EXPECT_EQ(filter_3x3(packing), expected);
}

TEST(Figures, Figure26ModuloScheduling) {
  const Rows expected{
      {"wr", "", "sh rw", "set ri", "mac", ""},     {"rd", "", "sh rw", "setsh", "mac", ""},
      {"rd", "rd", "sh rw", "sh ri", "mac", ""},    {"wr", "rd", "set rw", "", "mac", ""},
      {"rd", "", "sh rw", "set ri", "set rb", ""},  {"rd", "rd", "sh rw", "setsh", "mac", ""},
      {"wr", "rd", "set rw", "sh ri", "mac", ""},   {"rd", "", "sh rw", "set ri", "mac", "act"},
      {"rd", "rd", "sh rw", "setsh", "mac", "act"}, {"", "rd", "set rw", "sh ri", "mac", ""},
  };
  EXPECT_EQ(filter_3x3(modulo), expected);
}

}  // namespace
}  // namespace convscope::nve::test
