#include "core/cpu/run/test_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cpu/run/double_reference.h"
#include "core/flyte/flyte.h"

namespace convscope::cpu {
namespace {

constexpr std::int64_t alignment = 64, page_alignment = std::int64_t{1} << 16;
constexpr std::int64_t most_others = std::int64_t{64} << 20;

std::int64_t count(const Extents& extents) {
  std::int64_t product = 1;
  for (const auto& [dimension, extent] : extents.of) product *= extent;
  return product;
}

std::int64_t filled_up(std::int64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

struct Offsets {
  std::int64_t kernel, expected, end;
};

Offsets offsets(const Problem& problem) {
  const std::int64_t kernel = filled_up(count(problem.image()) * 4);
  const std::int64_t expected = kernel + filled_up(count(problem.kernel()) * 4);
  return {kernel, expected, expected + filled_up(count(problem.output()) * 8)};
}

/// splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void fill(float* values, std::int64_t count, std::uint64_t& state) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = static_cast<float>(next(state) >> 40) * 0x1p-23F - 1.0F;
}

void store_as(float* values, std::int64_t count, const flyte::Storage& storage) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = flyte::rounded(values[i], storage);
}

/// Where the others begin in the file.
std::int64_t place_of_others(const Problem& problem) {
  return (offsets(problem).end + page_alignment - 1) / page_alignment * page_alignment;
}

std::byte* mapped(int descriptor, std::int64_t bytes, int protection, int flags, std::int64_t from = 0) {
  void* base = mmap(nullptr, static_cast<std::size_t>(bytes), protection, flags, descriptor, from);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

}  // namespace

std::int64_t TestData::bytes(const Problem& problem) {
  return offsets(problem).end;
}

std::shared_ptr<const TestData> TestData::make(const Problem& problem, std::uint64_t seed, const std::stop_token& stop,
                                               Diagnostics& diagnostics) {
  const Offsets at = offsets(problem);
  FileDescriptor memory(memfd_create("convscope-data", MFD_CLOEXEC));
  std::byte* base = nullptr;
  // The others take memory when they are first read.
  if (memory && posix_fallocate(memory.get(), 0, at.end) == 0 &&
      ftruncate(memory.get(), place_of_others(problem) + most_others) == 0)
    base = mapped(memory.get(), at.end, PROT_READ | PROT_WRITE, MAP_SHARED);
  if (base == nullptr) {
    diagnostics.error({{}, 0, text(problem)}, fmt::format("no {} MB of memory to check programs with", at.end >> 20));
    return nullptr;
  }
  std::shared_ptr<const TestData> data(new TestData(problem, std::move(memory), base));
  auto* image = reinterpret_cast<float*>(base);
  auto* kernel = reinterpret_cast<float*>(base + at.kernel);
  fill(image, count(problem.image()), seed);
  fill(kernel, count(problem.kernel()), seed);
  store_as(image, count(problem.image()), problem.stored.image);
  store_as(kernel, count(problem.kernel()), problem.stored.weights);
  double_reference(problem, image, kernel, reinterpret_cast<double*>(base + at.expected), stop);
  return data;
}

std::shared_ptr<const TestData> TestData::map(const Problem& problem, int descriptor) {
  struct stat about {};
  const std::int64_t bytes = offsets(problem).end;
  if (fstat(descriptor, &about) != 0 || about.st_size < bytes) return nullptr;
  std::byte* base = mapped(descriptor, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE);
  if (base == nullptr) return nullptr;
  return std::shared_ptr<const TestData>(new TestData(problem, FileDescriptor(), base));
}

std::span<const std::byte> TestData::map_others(const Problem& problem, int descriptor, std::int64_t bytes) {
  const std::int64_t size = std::min(bytes, most_others);
  if (size <= 0) return {};
  const std::byte* base = mapped(descriptor, size, PROT_READ, MAP_SHARED | MAP_POPULATE, place_of_others(problem));
  return {base, base == nullptr ? 0 : static_cast<std::size_t>(size)};
}

TestData::~TestData() {
  munmap(const_cast<std::byte*>(base_), static_cast<std::size_t>(bytes(problem_)));
}

const float* TestData::image() const {
  return reinterpret_cast<const float*>(base_);
}
const float* TestData::kernel() const {
  return reinterpret_cast<const float*>(base_ + offsets(problem_).kernel);
}
const double* TestData::expected() const {
  return reinterpret_cast<const double*>(base_ + offsets(problem_).expected);
}

double relative_bound(const Problem& problem, double error_growth) {
  const double taps = static_cast<double>(problem.kernel_height) * problem.kernel_width * problem.group_channels();
  const double stored = error_growth > 1 ? flyte::largest_relative_error(problem.stored.weights) : 0;
  return 4 * (static_cast<double>(std::numeric_limits<float>::epsilon()) * std::sqrt(taps) + stored) * error_growth;
}

Distance distance(const TestData& data, const float* output, double error_growth) {
  const Problem& problem = data.problem();
  const std::int64_t outputs = count(problem.output());
  const double* expected = data.expected();
  Distance result;
  double squares = 0, error_squares = 0;
  const double stored = flyte::largest_relative_error(problem.stored.output);
  for (std::int64_t i = 0; i < outputs; ++i) {
    squares += expected[i] * expected[i];
    const double beyond = std::abs(static_cast<double>(output[i]) - expected[i]) - stored * std::abs(expected[i]);
    const double error = std::max(beyond, 0.0);  // NaN stays in this order
    error_squares += error * error;
    if (error <= result.error) continue;
    result.error = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    result.worst = i;
  }
  const double rms = std::sqrt(squares / static_cast<double>(outputs));
  result.bound = relative_bound(problem, error_growth) * rms;
  if (rms > 0) {
    result.max = result.error / rms;
    result.l2 = std::sqrt(error_squares / squares);
  }
  return result;
}

std::string told(const TestData& data, const float* output, const Distance& distance) {
  const std::int64_t kernels = data.problem().kernels, width = data.problem().out_width();
  const std::int64_t at = distance.worst;
  return fmt::format("h {}, w {}, m {}: {:.6g} instead of {:.6g}, {:.2g} allowed", at / kernels / width,
                     at / kernels % width, at % kernels, output[at], data.expected()[at], distance.bound);
}

}  // namespace convscope::cpu
