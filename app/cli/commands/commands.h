#pragma once
// The commands, one file each. Each adds its subcommand; what it returns runs it and gives the exit code.

#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/context.h"
#include "app/cli/exit_codes.h"

namespace convscope::cli {

struct Command {
  CLI::App* app = nullptr;
  std::function<ExitCode(Context&)> run;
};

Command add_report(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_compile(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_simulate(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_verify(CLI::App& program);
Command add_why(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_trace(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_measure(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_quantize(CLI::App& program);
Command add_detect(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_export(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_compare(CLI::App& program);
Command add_parameters(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_networks(CLI::App& program);
Command add_formats(CLI::App& program);
Command add_sweep(CLI::App& program);
Command add_merge(CLI::App& program);
Command add_front(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_sensitivity(CLI::App& program, const catalogue::Catalogue& catalogue);
Command add_figure(CLI::App& program);
Command add_winograd(CLI::App& program);
Command add_calibrate(CLI::App& program);
Command add_lab(CLI::App& program);
Command add_grade(CLI::App& program);
Command add_draft(CLI::App& program, const catalogue::Catalogue& catalogue);

}  // namespace convscope::cli
