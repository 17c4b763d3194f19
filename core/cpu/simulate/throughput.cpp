#include "core/cpu/simulate/throughput.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/cancellation.h"
#include "core/base/child_process.h"
#include "core/base/text.h"
#include "core/cpu/run/compile.h"

namespace convscope::cpu {
namespace {

constexpr int iterations = 200;

/// Multiply-adds by the beginning of their names: "vfmadd231ps", "fmla", "fmadd", "vfma.f32", "vmla.f32".
bool multiplies_and_adds(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{"vfmadd", "vfnmadd", "fmla",  "fmls",
                                                  "fmadd",  "vfma.",   "vmla.", "vfms."};
  return std::any_of(names.begin(), names.end(), [&](std::string_view one) { return name.starts_with(one); });
}

/// By the first register: its kind, or what stands behind it.
int lanes_of(std::string_view name, std::string_view operands) {
  const auto has = [&](std::string_view part) { return operands.find(part) != std::string_view::npos; };
  if (has("zmm")) return 16;
  if (has("ymm")) return 8;
  if (name.ends_with("ss")) return 1;
  if (has("xmm")) return 4;
  if (has(".4s") || operands.starts_with("q")) return 4;
  if (has(".2s") || operands.starts_with("d")) return 2;
  return 1;
}

std::string_view without_comment(std::string_view line) {
  for (const std::string_view sign : {"//", "@", "#"}) {
    // AArch64 and ARM write immediates behind '#': a comment of x86 begins after a blank or a line's begin.
    const std::size_t at = line.find(sign);
    if (at == std::string_view::npos) continue;
    const bool comment = sign != "#" || at == 0 || (line[at - 1] == '\t' && line.find(',') > at);
    if (comment) line = line.substr(0, at);
  }
  return line;
}

/// "b.ne .LBB0_1", "jne .L3", "cbnz x8, .LBB0_1": the label that is branched to; empty if it is no branch.
std::string_view target_of(std::string_view name, std::string_view operands) {
  const bool branch =
      name.starts_with("b") || name.starts_with("j") || name.starts_with("cb") || name.starts_with("tb");
  if (!branch) return {};
  const std::size_t at = operands.find(".L");
  return at == std::string_view::npos ? std::string_view() : trimmed(operands.substr(at));
}

/// What LLVM's model of the Cortex-A15 can't take, in other words.
std::string understood(std::string_view name, std::string_view operands) {
  if (name != "vldmia" && name != "vstmia") return fmt::format("\t{}\t{}", name, operands);
  const std::size_t comma = operands.find(',');
  return fmt::format("\t{}\t{}, [{}]", name == "vldmia" ? "vld1.64" : "vst1.64", trimmed(operands.substr(comma + 1)),
                     trimmed(operands.substr(0, comma)));
}

/// LLVM's own words for what it assumes of each processor.
std::string analyzed(const CrossTools& tools, Family family, const std::string& processor,
                     const std::filesystem::path& file, const std::stop_token& stop, std::string& reason) {
  ChildRequest request{{tools.analyzer, "-mtriple=" + triple_of(family), "-mcpu=" + processor,
                        fmt::format("-iterations={}", iterations), "-json", "-instruction-info=false",
                        "-resource-pressure=false", file.string()}};
  if (family == Family::neon32) request.arguments.push_back("-mattr=+neon,+vfp4");  // processors of ARMv7 may lack them
  request.limits.wall = std::chrono::seconds(60);
  request.limits.output = std::size_t{8} << 20;
  const ChildResult child = run_child(request, stop);
  if (child.stopped()) throw Cancelled();
  if (child.errors.find("not a recognized processor") != std::string::npos)
    return reason = fmt::format("LLVM knows no processor '{}' of this family", processor), "";
  // It leaves out instructions that it doesn't understand, and counts the others.
  const bool understood = child.errors.find("error:") == std::string::npos;
  if (child.end == ChildResult::End::exited && child.exit_code == 0 && understood) return child.output;
  return reason = "llvm-mca: " + (child.errors.empty() ? child.failure : words(child.errors, "\n").front()), "";
}

double cycles_of(const std::string& report) {
  const auto json = nlohmann::json::parse(report, nullptr, false);
  if (json.is_discarded() || !json.contains("CodeRegions")) return 0;
  for (const auto& region : json["CodeRegions"])
    if (region.contains("SummaryView")) return region["SummaryView"].value("TotalCycles", 0.0) / iterations;
  return 0;
}

std::string assembled(const Generated& program, const CrossTools& tools, const std::filesystem::path& folder,
                      const std::stop_token& stop, std::string& reason) {
  std::ofstream(folder / "program.cpp") << program.source;
  ChildRequest request{{tools.compiler}};
  for (const std::string& flag : cross_flags(program.family)) request.arguments.push_back(flag);
  request.arguments.insert(request.arguments.end(), {"-S", (folder / "program.cpp").string(), "-o", "-"});
  const CompileOptions limits;
  request.limits.wall = limits.wall;
  request.limits.cpu_seconds = limits.cpu_seconds;
  request.limits.output = std::size_t{64} << 20;
  const ChildResult child = run_child(request, stop);
  if (child.stopped()) throw Cancelled();
  if (child.end == ChildResult::End::exited && child.exit_code == 0) return child.output;
  return reason = "the compiler: " + (child.errors.empty() ? child.failure : child.errors), "";
}

}  // namespace

std::vector<AssemblyLoop> innermost_loops(std::string_view assembly) {
  std::vector<AssemblyLoop> loops;
  AssemblyLoop open;
  std::string_view label;
  while (!assembly.empty()) {
    const std::size_t end = assembly.find('\n');
    const std::string_view line = trimmed(without_comment(assembly.substr(0, end)));
    assembly.remove_prefix(end == std::string_view::npos ? assembly.size() : end + 1);
    if (line.empty()) continue;
    if (line.back() == ':') {
      label = line.substr(0, line.size() - 1);
      open = {};
      continue;
    }
    if (line.front() == '.') continue;  // a directive
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view name = line.substr(0, blank);
    const std::string_view operands = blank == std::string_view::npos ? "" : trimmed(line.substr(blank));
    open.text += understood(name, operands) + '\n';
    ++open.instructions;
    if (multiplies_and_adds(name)) open.operations += 2 * lanes_of(name, operands);
    const std::string_view target = target_of(name, operands);
    if (target.empty()) continue;
    if (target == label) loops.push_back(std::move(open));
    label = {};  // what follows a branch is no straight loop from this label
    open = {};
  }
  return loops;
}

std::string_view usual_processor(Family family) {
  switch (family) {
    case Family::neon32:
      return "cortex-a15";
    case Family::neon64:
      return "cortex-a57";
    case Family::avx512:
      return "skylake-avx512";
    case Family::avx512vbmi:
      return "icelake-server";
    case Family::avx2:
      return "haswell";
    case Family::scalar:
      break;
  }
  return "sandybridge";
}

std::optional<Throughput> throughput(const Generated& program, const CrossTools& tools, const std::string& processor,
                                     const std::stop_token& stop, std::string& reason) {
  if (tools.compiler.empty() || tools.analyzer.empty())
    return reason = "this takes Clang and llvm-mca (packages clang-14, llvm-14)", std::nullopt;
  Diagnostics diagnostics;
  const auto workspace = Workspace::create(diagnostics);
  if (!workspace) return reason = diagnostics.text(), std::nullopt;
  const std::string assembly = assembled(program, tools, workspace->path(), stop, reason);
  if (!reason.empty()) return std::nullopt;
  std::vector<AssemblyLoop> loops = innermost_loops(assembly);
  const auto hottest = std::max_element(loops.begin(), loops.end(), [](const AssemblyLoop& a, const AssemblyLoop& b) {
    return a.operations < b.operations;
  });
  if (hottest == loops.end() || hottest->operations == 0)
    return reason = "no innermost loop multiplies without a branch inside", std::nullopt;
  const std::filesystem::path file = workspace->path() / "loop.s";
  std::ofstream(file) << hottest->text;
  const std::string report = analyzed(tools, program.family, processor, file, stop, reason);
  if (!reason.empty()) return std::nullopt;
  const double cycles = cycles_of(report);
  if (cycles <= 0) return reason = "llvm-mca gave no cycles", std::nullopt;
  return Throughput{std::move(*hottest), cycles};
}

}  // namespace convscope::cpu
