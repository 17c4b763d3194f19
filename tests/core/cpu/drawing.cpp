#include "tests/core/cpu/drawing.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace convscope::cpu {
namespace {

const std::string* fixed_value(const std::vector<Choice>& fixed, const std::string& level) {
  for (const Choice& choice : fixed)
    if (choice.level == level) return &choice.value;
  return nullptr;
}

/// A value that isn't rejected, the fixed one if there is one; nothing if there is none.
std::optional<std::string> choose(const std::vector<Option>& values, const std::string* fixed,
                                  std::mt19937_64& random) {
  std::vector<std::string> allowed;
  for (const Option& one : values)
    if (one.rejected.empty() && (fixed == nullptr || one.value == *fixed)) allowed.push_back(one.value);
  if (allowed.empty()) return std::nullopt;
  return allowed[random() % allowed.size()];
}

/// One after the other: compilers evaluate arguments in orders of their own.
std::string random_problem(std::mt19937_64& random, int least_threads) {
  const auto pick = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  const int y = pick(1, 4), x = pick(1, 4), groups = pick(0, 4) == 0 ? pick(2, 3) : 1;
  const int stride = pick(0, 3) == 0 ? 2 : 1, dilation = pick(0, 4) == 0 ? 2 : 1;
  const bool depthwise = pick(0, 5) == 0;
  const int channels = depthwise ? pick(1, 40) : groups * pick(1, 20),
            kernels = depthwise ? channels : groups * pick(1, 40);
  const int height = pick(8, 12), width = pick(8, 17), top = pick(0, y - 1), left = pick(0, x - 1);
  const int bottom = pick(0, y - 1), right = pick(0, x - 1), threads = pick(least_threads, 2);
  return fmt::format("{}x{}x{} -> {}, {}x{}, stride {}, dilation {}, groups {}, pad {} {} {} {}, threads {}", height,
                     width, channels, kernels, y, x, stride, dilation, depthwise ? channels : groups, top, left, bottom,
                     right, threads);
}

}  // namespace

Problem problem(std::string_view text) {
  Diagnostics diagnostics;
  const auto parsed = parse_problem(text, diagnostics);
  EXPECT_TRUE(parsed) << diagnostics.text();
  return parsed.value_or(Problem{});
}

std::optional<Path> draw_with(const Problem& problem, const std::vector<Choice>& fixed, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Path path;
  for (std::string level = next_level(problem, path); !level.empty(); level = next_level(problem, path)) {
    auto value = choose(options(problem, any_machine(problem), {}, path), fixed_value(fixed, level), random);
    if (!value) return std::nullopt;
    path.choices.push_back({level, *std::move(value)});
  }
  return path;
}

namespace {

std::vector<Case> cases_with(const std::vector<Choice>& fixed, int least_threads, std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < count) {
    const Problem one = problem(random_problem(random, least_threads));
    if (auto path = draw_with(one, fixed, random())) cases.push_back({one, *std::move(path)});
  }
  return cases;
}

}  // namespace

std::vector<Case> random_cases(Family family, std::uint64_t seed, int count) {
  return cases_with({{"family", std::string(traits(family).key)}}, 1, seed, count);
}

std::vector<Case> threaded_cases(Family family, std::uint64_t seed, int count) {
  return cases_with({{"family", std::string(traits(family).key)}, {"threads", "openmp"}}, 2, seed, count);
}

}  // namespace convscope::cpu
