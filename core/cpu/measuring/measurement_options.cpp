#include "core/cpu/measuring/measurement_options.h"

#include "core/cpu/search/search.h"

namespace convscope::cpu {
namespace {

using target::OptionKind;

std::vector<std::string> algorithm_keys() {
  std::vector<std::string> keys;
  for (const Algorithm each : all_algorithms) keys.emplace_back(key(each));
  return keys;
}

}  // namespace

std::vector<target::OptionDescription> measurement_options() {
  return {
      {.name = "search",
       .label = "Search",
       .help = "How variants are chosen",
       .kind = OptionKind::choice,
       .initial = std::string(key(Algorithm::guided)),
       .choices = algorithm_keys()},
      {.name = "variants",
       .label = "Variants",
       .help = "Programs that are compiled and measured for each layer",
       .kind = OptionKind::integer,
       .initial = "24",
       .minimum = 1,
       .maximum = 1'000'000},
      {.name = "seed",
       .label = "Seed",
       .help = "Of the search: the same seed takes the same way, and goes on where it was interrupted",
       .kind = OptionKind::integer,
       .initial = "1"},
      {.name = "store",
       .label = "Store",
       .help = "File that results are kept in, made if need be; empty: the user's own",
       .initial = ""},
      {.name = "source",
       .label = "Source",
       .help = "Measures this C++ file in a search's place; docs/cpu.md says what it defines",
       .initial = ""},
      {.name = "error",
       .label = "Largest error",
       .help = "That a program may have, as `error-metric` tells it: others are left out. Empty: 1e-5, or what "
               "a plain sum may, of Winograd's; what a plain sum may, of others",
       .initial = ""},
      {.name = "error-metric",
       .label = "Error metric",
       .help = "max: the largest error over the root mean square of the outputs; l2: of all outputs together",
       .kind = OptionKind::choice,
       .initial = "max",
       .choices = {"max", "l2"}},
      {.name = "scratch",
       .label = "Temporary memory",
       .help = "Bytes that a program may take at most; 0: no limit",
       .kind = OptionKind::integer,
       .initial = "0"},
      {.name = "inputs",
       .label = "Inputs",
       .help = "Of a whole network: seeded inputs whose outputs are held against the network in floats",
       .kind = OptionKind::integer,
       .initial = "1",
       .minimum = 1,
       .maximum = 100'000},
      {.name = "peers",
       .label = "Other libraries",
       .help = "Runs oneDNN and im2col with OpenBLAS in turn with what was found, where convscope-peers is installed",
       .kind = OptionKind::choice,
       .initial = "on",
       .choices = {"on", "off"}},
      {.name = "compiler",
       .label = "Compiler",
       .help = "Name or path; empty: the first of g++, clang++, c++",
       .initial = ""}};
}

}  // namespace convscope::cpu
