#pragma once
// What CLI11 parses and prints as help, as data.

#include <CLI/CLI.hpp>

#include "app/cli/console.h"
#include "app/cli/exit_codes.h"
#include "app/manual/program.h"

namespace convscope::cli {

/// With its subcommands; options and commands that --help doesn't show are left out.
manual::Program describe_program(const CLI::App& program);

/// Answers what ends parsing: help and version go to stdout, mistakes to stderr.
ExitCode answer(const CLI::App& program, const CLI::ParseError& error, Console& console);

/// Of every program of ours that speaks by exit codes (app/cli/exit_codes.h).
std::vector<std::pair<int, std::string>> exit_meanings();

}  // namespace convscope::cli
