#pragma once
// What CLI11 parses and prints as help, as data.

#include <CLI/CLI.hpp>

#include "app/manual/program.h"

namespace convscope::cli {

/// With its subcommands; options and commands that --help doesn't show are left out.
manual::Program describe_program(const CLI::App& program);

/// Of every program of ours that speaks by exit codes (app/cli/exit_codes.h).
std::vector<std::pair<int, std::string>> exit_meanings();

}  // namespace convscope::cli
