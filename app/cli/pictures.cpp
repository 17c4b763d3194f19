#include "app/cli/pictures.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "app/request/session_request.h"
#include "core/base/child_process.h"

namespace convscope::cli {
namespace {

std::string well_formed_picture_size(const std::string& size) {
  return request::parse_size(size) ? "" : "'" + size + "' is not WIDTHxHEIGHT in pixels";
}

std::string well_formed_picture(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const bool fine = ending == ".svg" || ending == ".pdf" || ending == ".png" || ending == ".csv";
  return fine ? "" : "'" + file + "' does not end in .svg, .pdf, .png or .csv";
}

}  // namespace

CLI::Option* PictureOptions::add_to(CLI::App& command) {
  CLI::Option* file = command.add_option("-o,--output", output, "File to write: .svg, .pdf, .png or .csv")
                          ->check(CLI::Validator(well_formed_picture, "FILE"));
  command.add_option("--theme", theme, "Colours")
      ->needs(file)
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  command.add_option("--size", size, "Size in pixels")
      ->needs(file)
      ->check(CLI::Validator(well_formed_picture_size, "WIDTHxHEIGHT"))
      ->capture_default_str();
  command.add_option("--scale", scale, "Pixels of a PNG for each pixel of the size")
      ->needs(file)
      ->check(CLI::Range(0.25, 8.0))
      ->capture_default_str();
  return file;
}

std::vector<std::string> PictureOptions::arguments() const {
  std::vector<std::string> list{"--output", output, "--theme", theme, "--scale", fmt::format("{}", scale)};
  if (!size.empty()) list.insert(list.end(), {"--size", size});
  return list;
}

std::string window_program(Diagnostics& diagnostics) {
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::string program = (here / "convscope").string();
  if (std::filesystem::exists(program, error)) return program;
  diagnostics.error({program, 0, {}}, "the window's program, which renders views, is not there", {},
                    "build or install ConvScope with its window (CONVSCOPE_UI=ON)");
  return {};
}

ExitCode draw(const std::string& program, std::vector<std::string> arguments, Context& context) {
  arguments.insert(arguments.begin(), program);
  ChildRequest window{std::move(arguments), {"QT_QPA_PLATFORM=offscreen"}};
  window.captured = false;
  window.grace = std::chrono::seconds(10);  // it has files to tidy up
  const ChildResult result = run_child(window, context.interrupt.token());
  if (result.stopped()) return context.console.error("cancelled"), cancelled;
  if (result.exit_code >= done && result.exit_code <= output_failed) return static_cast<ExitCode>(result.exit_code);
  context.console.error(fmt::format("the window's program failed ({})", result.failure));
  return internal_error;
}

}  // namespace convscope::cli
