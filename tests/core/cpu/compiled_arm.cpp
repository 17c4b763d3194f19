#include "tests/core/cpu/compiled_arm.h"

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

std::string triple(Family family) {
  return std::string(traits(family).clang_target);
}

std::int64_t filled(const Layout& layout, const Extents& extents) {
  return (static_cast<std::int64_t>(floats_of(layout, extents)) + 15) / 16 * 16;
}

std::string pointer(const Layout& layout, const char* constant) {
  return fmt::format("{}{}*", constant, layout.storage.complete() ? "float" : "unsigned char");
}

/// From floats, if the tensor is stored as bytes.
std::string cast(const Layout& layout, const char* constant) {
  return layout.storage.complete() ? "" : fmt::format("({})", pointer(layout, constant));
}

/// Reads each problem's tensors, runs it twice and writes the output.
std::string start(const std::vector<Generated>& texts, const std::vector<Reference>& references) {
  std::string source = "extern \"C\" void _start() {\n";
  std::int64_t most = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Problem& p = references[i].problem;
    const std::int64_t image = filled(texts[i].image, p.image());
    const std::int64_t kernel = filled(texts[i].kernel, texts[i].kernel_extents(p));
    const auto output = static_cast<std::int64_t>(floats_of(texts[i].output, p.output()));
    most = std::max({most, image, kernel, output + 15});
    source += fmt::format(
        "  transfer(read_call, 0, image, {0});\n  transfer(read_call, 0, kernel, {1});\n"
        "  for (long i = 0; i < {2}; ++i) output[i] = __builtin_nanf(\"\");\n"
        "  convolution_{3}({4}image, {5}kernel, {6}output);\n  convolution_{3}({4}image, {5}kernel, {6}output);\n"
        "  transfer(write_call, 1, output, {2});\n",
        image, kernel, output, i, cast(texts[i].image, "const "), cast(texts[i].kernel, "const "),
        cast(texts[i].output, ""));
  }
  const std::string tensors = fmt::format(
      "static float image[{0}] __attribute__((aligned(64))), kernel[{0}] __attribute__((aligned(64))), "
      "output[{0}] __attribute__((aligned(64)));\n",
      most);
  std::string declarations;
  for (std::size_t i = 0; i < texts.size(); ++i)
    declarations += fmt::format("extern \"C\" void convolution_{}({}, {}, {});\n", i, pointer(texts[i].image, "const "),
                                pointer(texts[i].kernel, "const "), pointer(texts[i].output, ""));
  return tensors + declarations + source + "  call(exit_call, 0, 0, 0);\n}\n";
}

}  // namespace

bool arm_tools() {
  return std::system("which clang++-14 ld.lld-14 qemu-aarch64 qemu-arm > /dev/null 2>&1") == 0;
}

bool compile_arm(const std::vector<Generated>& texts, const std::vector<Reference>& references, Family family,
                 const std::string& folder) {
  return compile_arm(joined_source(texts) + arm_runtime + start(texts, references), family, folder);
}

bool compile_arm(const std::string& source, Family family, const std::string& folder) {
  std::ofstream(folder + "/all.cpp") << source;
  const std::string command = fmt::format(
      "clang++-14 --target={0} {1} -std=c++17 -O2 -ffp-contract=fast -ffreestanding -nostdlib -static -fno-exceptions "
      "-fno-unwind-tables -fno-asynchronous-unwind-tables -fno-stack-protector -fno-builtin-memset -fno-builtin-memcpy "
      "-Wno-unused-function -fuse-ld=lld-14 {2}/all.cpp -o {2}/all 2> {2}/messages",
      triple(family), traits(family).flags, folder);
  return std::system(command.c_str()) == 0;
}

void run_arm(const std::vector<Generated>& texts, const std::vector<Reference>& references, Family family,
             const std::string& folder, std::vector<CaseResult>& results) {
  std::ofstream in(folder + "/in", std::ios::binary);
  const auto put = [&](const std::vector<float>& values) {
    in.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(4 * values.size()));
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    put(pack(references[i].image, texts[i].image, references[i].problem.image()));
    put(pack_kernel(references[i], texts[i]));
  }
  in.close();
  const char* emulator = family == Family::neon64 ? "qemu-aarch64" : "qemu-arm";
  const int status = std::system(fmt::format("timeout 300 {0} {1}/all < {1}/in > {1}/out", emulator, folder).c_str());
  std::ifstream out(folder + "/out", std::ios::binary);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::vector<float> values(floats_of(texts[i].output, references[i].problem.output()));
    out.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(4 * values.size()));
    if (out)
      results[i].output = std::move(values);
    else
      results[i].failure = fmt::format("{} ended with status {}", emulator, status);
  }
}

}  // namespace convscope::cpu
