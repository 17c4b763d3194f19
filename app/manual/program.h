#pragma once
// What a program takes on its command line, as data: manual pages and completion are written from it. Who parses the
// command line makes it from the very definitions that parse and that --help prints.

#include <string>
#include <utility>
#include <vector>

namespace convscope::manual {

/// An option or, if no name begins with a dash, a positional argument.
struct Argument {
  std::vector<std::string> names;    ///< e.g. "-o", "--output"; exactly one for a positional argument
  std::string value;                 ///< what follows, e.g. "NAME=VALUE"; empty for a flag
  std::vector<std::string> choices;  ///< all values that there are; empty if these can't be listed
  std::string help, initial;         ///< `initial` is empty if there is none worth telling
  bool required = false, repeated = false;

  bool positional() const { return names.front().front() != '-'; }
};

struct Program {
  std::string name, summary;
  std::vector<Argument> arguments;
  std::vector<Program> commands;
  std::vector<std::pair<int, std::string>> exits;  ///< exit codes, of a program as a whole
};

}  // namespace convscope::manual
