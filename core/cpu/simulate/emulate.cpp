#include "core/cpu/simulate/emulate.h"

#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <sys/mman.h>

#include "core/base/cancellation.h"
#include "core/base/child_process.h"
#include "core/base/file_descriptor.h"
#include "core/cpu/run/compared.h"
#include "core/cpu/run/compile.h"
#include "core/cpu/run/packing.h"
#include "core/cpu/simulate/arm_program.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t float_size = 4;
constexpr std::chrono::seconds start_up{20};
constexpr double slowest = 2e7;  ///< multiply-adds a second, emulated

/// Image and kernel as the program reads them, in memory that becomes its stdin. -1 if there is none.
FileDescriptor input_of(const Generated& program, const TestData& data) {
  const Problem& problem = data.problem();
  const ArmTensors tensors = arm_tensors(program, problem);
  std::vector<std::byte> all((static_cast<std::size_t>(tensors.image) + static_cast<std::size_t>(tensors.kernel)) *
                             float_size);
  const std::vector<std::byte> image = packed_bytes(data.image(), program.image, problem.image());
  std::memcpy(all.data(), image.data(), image.size());
  std::byte* kernel = all.data() + static_cast<std::size_t>(tensors.image) * float_size;
  std::vector<float> transformed;
  const float* plain = data.kernel();
  if (!program.transform.none()) {
    transformed = cpu::transformed(program.transform, problem, data.kernel());
    plain = transformed.data();
  }
  const std::vector<std::byte> packed = packed_bytes(plain, program.kernel, program.kernel_extents(problem));
  std::memcpy(kernel, packed.data(), packed.size());
  FileDescriptor file(memfd_create("convscope-tensors", MFD_CLOEXEC));
  if (!file) return file;
  for (std::size_t done = 0; done < all.size();) {
    const ssize_t count = write(file.get(), all.data() + done, all.size() - done);
    if (count <= 0) return {};
    done += static_cast<std::size_t>(count);
  }
  lseek(file.get(), 0, SEEK_SET);
  return file;
}

Outcome ended(const char* what, const ChildResult& child) {
  return failed(child.end == ChildResult::End::timed_out ? Ending::timeout : Ending::crash,
                fmt::format("{}: {}", what, child.errors.empty() ? child.failure : child.errors));
}

/// Empty if it compiled.
Outcome compile_for_arm(const Generated& program, const Problem& problem, const CrossTools& tools,
                        const std::filesystem::path& folder, const std::stop_token& stop) {
  std::ofstream source(folder / "program.cpp");
  source << arm_program(program, problem);
  source.close();
  if (!source) return failed(Ending::unavailable, folder.string() + ": the source can't be written");
  ChildRequest request;
  request.arguments = {tools.compiler};
  for (const std::string& flag : cross_flags(program.family)) request.arguments.push_back(flag);
  request.arguments.insert(request.arguments.end(), {"--ld-path=" + tools.linker, (folder / "program.cpp").string(),
                                                     "-o", (folder / "program").string()});
  const CompileOptions limits;
  request.limits.wall = limits.wall;
  request.limits.cpu_seconds = limits.cpu_seconds;
  const ChildResult child = run_child(request, stop);
  if (child.stopped()) throw Cancelled();
  if (child.end == ChildResult::End::exited && child.exit_code == 0) return failed(Ending::ran, "");
  return ended("the compiler", child);
}

Outcome judged(const Generated& program, const TestData& data, const std::string& bytes) {
  const Problem& problem = data.problem();
  std::vector<float> plain(static_cast<std::size_t>(elements(Layout{"HWM"}, problem.output())));
  unpack_bytes(reinterpret_cast<const float*>(bytes.data()), program.output, problem.output(), plain.data());
  return compared(data, plain.data(), program.transform.error_growth);
}

}  // namespace

Outcome emulate(const Generated& program, const TestData& data, const CrossTools& tools, const std::stop_token& stop) {
  if (!tools.missing.empty()) return failed(Ending::unavailable, "this takes " + tools.missing);
  Diagnostics diagnostics;
  const auto workspace = Workspace::create(diagnostics);
  if (!workspace) return failed(Ending::unavailable, diagnostics.text());
  if (Outcome compiled = compile_for_arm(program, data.problem(), tools, workspace->path(), stop); !compiled.ran())
    return compiled;
  const FileDescriptor input = input_of(program, data);
  if (!input) return failed(Ending::memory, "no memory for the tensors");
  const auto output = static_cast<std::size_t>(arm_tensors(program, data.problem()).output) * float_size;
  const double seconds = static_cast<double>(valid_macs(data.problem())) / slowest;
  ChildRequest request{{tools.emulator, (workspace->path() / "program").string()}};
  request.limits.wall = start_up + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
  request.limits.no_files = true;
  request.limits.output = output + 1;
  request.input = input.get();
  const ChildResult child = run_child(request, stop);
  if (child.stopped()) throw Cancelled();
  if (child.end != ChildResult::End::exited || child.exit_code != 0 || child.output.size() != output)
    return ended("the emulated program", child);
  return judged(program, data, child.output);
}

}  // namespace convscope::cpu
