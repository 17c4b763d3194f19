#include "random_choices.h"

#include "core/snowflake/host/run.h"
#include "core/snowflake/plan/candidates.h"
#include "core/snowflake/plan/refused_mapping.h"
#include "core/snowflake/verify/verify_program.h"

namespace convscope::snowflake {

std::string attribute(const std::string& name, int value) {
  return " " + name + "='" + std::to_string(value) + "'";
}

std::vector<Choice> random_choices(Random& random, const ParsedNetwork& parsed, const Machine& machine) {
  std::vector<Choice> choices;
  for (const ParsedLayer& layer : parsed.layers) {
    std::vector<Mapping> fitting;
    for (const Mapping& m : candidates(layer.layer, parsed.regions, machine))
      if (refused_mapping(shape_of(layer.layer, parsed.regions, machine, m.by_position), m, machine).empty())
        fitting.push_back(m);
    if (fitting.empty()) return {};
    const int drawn = random.from(0, static_cast<int>(fitting.size()) - 1);
    choices.push_back(Choice::only(fitting[static_cast<std::size_t>(drawn)]));
  }
  return choices;
}

std::string verify_and_run(const Program& program, std::uint64_t seed) {
  Diagnostics diagnostics;
  if (!verify_program(program, diagnostics).ok) return "verifier: " + diagnostics.text();
  const auto compared = run_and_compare(program, seed, diagnostics);
  return compared ? compared->text() : diagnostics.text();
}

}  // namespace convscope::snowflake
