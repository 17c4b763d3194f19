#include "core/cpu/simulate/cross_tools.h"

#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cpu/run/toolchain.h"

namespace convscope::cpu {
namespace {

std::string first_of(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (std::string path = find_program(name); !path.empty()) return path;
  return {};
}

bool is_arm(Family family) {
  return family == Family::neon32 || family == Family::neon64;
}

}  // namespace

CrossTools find_cross_tools(Family family) {
  CrossTools tools;
  tools.compiler = first_of({"clang++-14", "clang++"});
  tools.linker = first_of({"ld.lld-14", "ld.lld"});
  if (family == Family::neon64) tools.emulator = first_of({"qemu-aarch64", "qemu-aarch64-static"});
  if (family == Family::neon32) tools.emulator = first_of({"qemu-arm", "qemu-arm-static"});
  tools.analyzer = first_of({"llvm-mca-14", "llvm-mca"});
  const auto need = [&](const std::string& path, std::string_view what) {
    if (path.empty()) tools.missing += fmt::format("{}{}", tools.missing.empty() ? "" : ", ", what);
  };
  need(tools.compiler, "Clang (package clang-14)");
  if (is_arm(family)) {
    need(tools.linker, "lld (package lld-14)");
    need(tools.emulator, "QEMU (package qemu-user)");
  }
  return tools;
}

std::string triple_of(Family family) {
  return family == Family::scalar ? "x86_64-linux-gnu" : std::string(traits(family).clang_target);
}

std::vector<std::string> cross_flags(Family family) {
  return words(fmt::format(
      "--target={} {} -std=c++17 -O2 -ffp-contract=fast -ffreestanding -nostdlib -static -fno-exceptions "
      "-fno-unwind-tables -fno-asynchronous-unwind-tables -fno-stack-protector -fno-builtin-memset -fno-builtin-memcpy "
      "-Wno-unused-function",
      triple_of(family), traits(family).flags));
}

}  // namespace convscope::cpu
