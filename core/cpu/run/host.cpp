#include "core/cpu/run/host.h"

#include <algorithm>
#include <fstream>
#include <thread>
#include <vector>

#include <boost/align/aligned_allocator.hpp>
#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/cpu/run/host_caches.h"
#include "core/cpu/run/peak_loops.h"
#include "core/cpu/run/toolchain.h"

namespace convscope::cpu {
namespace {

// From the start of a cache line, as the tensors of programs: a vector across two lines takes two loads.
using Lines = std::vector<std::byte, boost::alignment::aligned_allocator<std::byte, read_alignment>>;

void read_processor(Host& host) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string name(trimmed(line.substr(0, colon))), value(trimmed(line.substr(colon + 1)));
    const auto number = [&] { return static_cast<int>(parse_integer<int>(value).value_or(0)); };
    if (name == "model name" || name == "Processor") host.model = clean(value);
    if (name == "cpu family") host.family = number();
    if (name == "model") host.model_number = number();
    if (name == "stepping") host.stepping = number();
  }
  if (host.model.empty()) host.model = "unknown processor";
}

}  // namespace

std::string Host::identity() const {
  // Hosts are found again that were stored before this family was told from avx512: the model has it or hasn't.
  std::string told;
  for (const std::string& each : words(features))
    if (each != traits(Family::avx512vbmi).key) told += (told.empty() ? "" : " ") + each;
  return fmt::format("{} {}/{}/{}, {} KB / {} KB / {} KB, {}", model, family, model_number, stepping, l1 >> 10,
                     l2 >> 10, l3 >> 10, told);
}

Host this_host() {
  Host host;
  read_processor(host);
  const CacheSizes caches = host_caches();
  host.l1 = caches.l1, host.l2 = caches.l2, host.l3 = caches.l3;
  for (const FamilyTraits& traits : families())
    if (runs_here(traits.family)) host.features += (host.features.empty() ? "" : " ") + std::string(traits.key);
  host.cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return host;
}

std::int64_t bytes_of_caches(const Host& host) {
  return std::min<std::int64_t>(host.l1 + host.l2 + host.l3, std::int64_t{64} << 20);
}

Calibration calibrate(const Host& host, double seconds, const std::stop_token& stop) {
  const double share = seconds / 8;
  Calibration result;
  // Many short loops: on a machine that others use some of them are left alone.
  constexpr double loop = 2e-4;
  const auto best = [&](const auto& rate) {
    throw_if_stopped(stop);
    double highest = 0;
    for (int i = 0; i < share / loop; ++i) highest = std::max(highest, rate());
    return highest;
  };
  const auto flops = [&](Family family) {
    return runs_here(family) ? best([&] { return multiply_add_rate(family, 1e6 * loop); }) : 0.0;
  };
  result.flops_scalar = flops(Family::scalar);
  result.flops_256 = flops(Family::avx2);
  result.flops_512 = flops(Family::avx512);
  result.clock = best([&] { return addition_rate(1e6 * loop); });
  const Family widest = runs_here(Family::avx512) ? Family::avx512
                        : runs_here(Family::avx2) ? Family::avx2
                                                  : Family::scalar;
  // Beyond the last cache, but not beyond reason.
  const std::int64_t outside = std::min<std::int64_t>(4 * host.l3, std::int64_t{256} << 20);
  const Lines memory(static_cast<std::size_t>(outside), std::byte{1});
  const auto bandwidth = [&](std::int64_t bytes) {
    throw_if_stopped(stop);
    return read_rate(widest, memory.data(), static_cast<std::size_t>(bytes) / 1024 * 1024, share);
  };
  result.l1 = bandwidth(host.l1 / 2);
  result.l2 = bandwidth(host.l2 / 2);
  result.l3 = bandwidth(host.l3 / 2);
  result.dram = bandwidth(outside);
  return result;
}

}  // namespace convscope::cpu
