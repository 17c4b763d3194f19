#include "bench/cpu/problems.h"

#include <fmt/format.h>

namespace convscope::bench {
namespace {

struct Size {
  int height, channels, kernels;
};

constexpr Size direct[] = {
    {13, 256, 384},  {13, 384, 384}, {13, 384, 256}, {299, 3, 32},   {149, 32, 32},  {147, 64, 64},  {73, 64, 96},
    {35, 64, 96},    {224, 3, 32},   {112, 32, 32},  {112, 56, 56},  {56, 128, 128}, {28, 256, 256}, {14, 512, 512},
    {56, 64, 64},    {28, 128, 128}, {14, 256, 256}, {7, 512, 512},  {224, 3, 64},   {224, 64, 64},  {112, 64, 128},
    {112, 128, 128}, {56, 128, 256}, {56, 256, 256}, {28, 256, 512}, {28, 512, 512}};

constexpr Size pointwise[] = {{55, 96, 16},    {55, 16, 64},    {55, 128, 16},  {55, 128, 32},  {55, 32, 128},
                              {27, 256, 32},   {27, 32, 128},   {27, 256, 48},  {27, 48, 192},  {27, 384, 48},
                              {27, 384, 64},   {27, 64, 256},   {13, 512, 64},  {13, 64, 256},  {13, 512, 1000},
                              {56, 64, 16},    {14, 512, 64},   {56, 64, 64},   {56, 64, 256},  {56, 256, 64},
                              {56, 256, 128},  {28, 128, 512},  {28, 512, 128}, {28, 512, 256}, {14, 256, 1024},
                              {14, 1024, 256}, {14, 1024, 512}, {7, 512, 2048}, {7, 2048, 512}};

/// Depthwise 3x3: size, channels, stride.
constexpr Size depthwise[] = {{112, 32, 1}, {112, 96, 2}, {56, 144, 1}, {56, 144, 2}, {28, 192, 1},
                              {28, 192, 2}, {14, 384, 1}, {14, 576, 1}, {14, 576, 2}, {7, 960, 1}};

std::vector<std::string> texts(const std::string& list) {
  std::vector<std::string> result;
  if (list == "direct") {
    result.push_back("27x27x96 -> 256, 5x5");
    for (const auto& [height, channels, kernels] : direct)
      result.push_back(fmt::format("{0}x{0}x{1} -> {2}, 3x3", height, channels, kernels));
  }
  if (list == "winograd") {
    result.push_back("27x27x96 -> 256, 5x5");
    for (const auto& [height, channels, kernels] : direct)
      if (channels >= 32) result.push_back(fmt::format("{0}x{0}x{1} -> {2}, 3x3", height, channels, kernels));
  }
  if (list == "pointwise") {
    for (const auto& [height, channels, kernels] : pointwise)
      result.push_back(fmt::format("{0}x{0}x{1} -> {2}, 1x1", height, channels, kernels));
  }
  if (list == "strided") {
    result = {"224x224x3 -> 32, 3x3, stride 2",   "224x224x3 -> 64, 7x7, stride 2",   "56x56x128 -> 128, 3x3, stride 2",
              "28x28x256 -> 256, 3x3, stride 2",  "14x14x512 -> 512, 3x3, stride 2",  "56x56x256 -> 512, 1x1, stride 2",
              "28x28x512 -> 1024, 1x1, stride 2", "14x14x1024 -> 2048, 1x1, stride 2"};
    for (const auto& [height, channels, stride] : depthwise)
      result.push_back(
          fmt::format("{0}x{0}x{1} -> {1}, 3x3{2}, groups {1}", height, channels, stride == 2 ? ", stride 2" : ""));
  }
  return result;
}

}  // namespace

std::vector<cpu::Problem> problems(const std::string& list) {
  std::vector<cpu::Problem> result;
  Diagnostics diagnostics;
  for (const std::string& text : texts(list)) {
    const auto problem = cpu::parse_problem(text, diagnostics);
    if (problem) result.push_back(*problem);
  }
  return result;
}

}  // namespace convscope::bench
