#include "core/cpu/layers/layer_problem.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

/// Zeros behind the input that the outputs need; 0 if they need less than there is.
int padding_behind(int out, int stride, int kernel, int dilation, int before, int in) {
  const std::int64_t needed = std::int64_t{out - 1} * stride + std::int64_t{kernel - 1} * dilation + 1 - before - in;
  return static_cast<int>(std::clamp<std::int64_t>(needed, 0, 1 << 16));
}

Problem sizes_of(const network::Layer& layer) {
  Problem p;
  p.height = layer.in.size.height;
  p.width = layer.in.size.width;
  p.channels = layer.in.maps;
  p.kernels = layer.out.maps;
  p.kernel_height = layer.kernel.height;
  p.kernel_width = layer.kernel.width;
  p.stride_height = layer.stride.height;
  p.stride_width = layer.stride.width;
  p.dilation_height = layer.dilation.height;
  p.dilation_width = layer.dilation.width;
  p.groups = layer.dense ? layer.groups : 1;
  p.pad_top = layer.padding.top;
  p.pad_left = layer.padding.left;
  p.pad_bottom =
      padding_behind(layer.out.size.height, p.stride_height, p.kernel_height, p.dilation_height, p.pad_top, p.height);
  p.pad_right =
      padding_behind(layer.out.size.width, p.stride_width, p.kernel_width, p.dilation_width, p.pad_left, p.width);
  return p;
}

}  // namespace

std::optional<Problem> problem_of(const network::Layer& layer, int threads, std::string& reason) {
  if (const std::string why = layer.why_no_kernel(); !why.empty()) {
    reason = layer.macs_known()
                 ? why + "; programs are generated for convolutions over rows and columns, and fully connected layers"
                 : why;
    return std::nullopt;
  }
  if (layer.kernel.height < 1 || layer.kernel.width < 1) {
    reason =
        fmt::format("programs are generated for convolutions and fully connected layers, not {}", layer.operator_name);
    return std::nullopt;
  }
  if (layer.in.maps < 1 || layer.out.maps < 1 || layer.in.size.height < 1 || layer.in.size.width < 1 ||
      layer.out.size.height < 1 || layer.out.size.width < 1) {
    reason = "its shape is not known; stating the input size may help";
    return std::nullopt;
  }
  Problem problem = sizes_of(layer);
  problem.threads = threads;
  reason = fault(problem);
  if (reason.empty() && (problem.out_height() != layer.out.size.height || problem.out_width() != layer.out.size.width))
    reason = fmt::format("its output of {}x{} doesn't follow from its input, kernel, stride and padding",
                         layer.out.size.height, layer.out.size.width);
  if (!reason.empty()) return std::nullopt;
  return problem;
}

std::optional<Problem> problem_of(const network::Layer& layer, const CodeMachine& machine, std::string& reason) {
  auto problem = problem_of(layer, machine.threads, reason);
  if (problem) problem->stored = {machine.activations, machine.weights, machine.activations};
  return problem;
}

network::Network network_of(const std::vector<Problem>& problems, const std::string& name) {
  network::Network network;
  network.name = name;
  network.format = "convolutions";
  for (const Problem& p : problems) {
    network::Layer layer;
    layer.name = text(p);
    const auto repeated = std::count(problems.data(), &p, p);
    if (repeated > 0) layer.name += fmt::format(" ({})", repeated + 1);
    layer.in = {p.channels, {p.height, p.width}};
    layer.out = {p.kernels, {p.out_height(), p.out_width()}};
    layer.kernel = {p.kernel_height, p.kernel_width};
    layer.stride = {p.stride_height, p.stride_width};
    layer.dilation = {p.dilation_height, p.dilation_width};
    layer.padding = {p.pad_top, p.pad_left, p.pad_bottom, p.pad_right};
    layer.groups = p.groups;
    layer.dense = true;
    network.layers.push_back(std::move(layer));
  }
  return network;
}

}  // namespace convscope::cpu
