#pragma once
// Pictures are drawn by the window's program, which is run without a display.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/context.h"
#include "app/cli/exit_codes.h"

namespace convscope::cli {

/// Where a picture goes and what it looks like.
struct PictureOptions {
  std::string output;  ///< empty: none
  std::string theme = "light";
  std::string size;  ///< WIDTHxHEIGHT; empty: what suits the picture
  double scale = 1;

  /// Adds --output, --theme, --size and --scale; returns the first.
  CLI::Option* add_to(CLI::App& command);
  /// For the window's program.
  std::vector<std::string> arguments() const;
};

/// The window's program beside this one; empty, with a diagnostic, if it is not there.
std::string window_program(Diagnostics& diagnostics);

/// Runs the window's program and takes over its exit code; messages are its own.
ExitCode draw(const std::string& program, std::vector<std::string> arguments, Context& context);

}  // namespace convscope::cli
