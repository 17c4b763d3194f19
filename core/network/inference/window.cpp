#include "core/network/inference/window.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::network {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 31;  // of strides, kernels …: products of two stay in range

/// Attribute with one entry per axis, all within [least, largest); the fallback for each if absent.
bool read_list(const Attributes& attributes, const char* name, std::size_t size, std::int64_t fallback,
               std::int64_t least, Dimensions& list, std::string& problem) {
  list = attributes.integers(name);
  if (list.empty()) list.assign(size, fallback);
  if (list.size() != size) {
    problem = fmt::format("'{}' has {} entries for {}", name, list.size(), size);
    return false;
  }
  for (const std::int64_t value : list) {
    if (value >= least && value < largest) continue;
    problem = fmt::format("'{}' holds {}", name, value);
    return false;
  }
  return true;
}

bool merge_kernel(const Attributes& attributes, Dimensions& kernel, std::size_t rank, std::string& problem) {
  const Dimensions stated = attributes.integers("kernel_shape");
  if (kernel.empty()) kernel.assign(rank, unknown_dimension);
  if (kernel.size() != rank || (!stated.empty() && stated.size() != rank)) {
    problem = fmt::format("the kernel has {} dimensions, the input {}",
                          kernel.size() != rank ? kernel.size() : stated.size(), rank);
    return false;
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t value = stated.empty() ? kernel[axis] : stated[axis];
    const bool differs = !stated.empty() && kernel[axis] >= 0 && kernel[axis] != value;
    if (differs || value == 0 || value >= largest || (!stated.empty() && value < 0)) {
      problem = differs ? fmt::format("'kernel_shape' says {}, the weights have {}", value, kernel[axis])
                        : fmt::format("a kernel of {} pixels", value);
      return false;
    }
    kernel[axis] = value;
  }
  return true;
}

void pad_same(Window& window, std::size_t axis, std::int64_t input, bool upper) {
  std::int64_t total = unknown_dimension;
  if (window.kernel[axis] >= 0 && input >= 0) {
    const std::int64_t windows = (input + window.strides[axis] - 1) / window.strides[axis];
    total = std::max<std::int64_t>(0, (windows - 1) * window.strides[axis] + window.extent(axis) - input);
  } else if (window.kernel[axis] >= 0 && window.strides[axis] == 1) {
    total = window.extent(axis) - 1;
  }
  window.pads_begin[axis] = total < 0 ? total : upper ? total / 2 : total - total / 2;
  window.pads_end[axis] = total < 0 ? total : total - window.pads_begin[axis];
}

bool set_pads(const Attributes& attributes, Window& window, const Dimensions& spatial, std::string& problem) {
  const std::size_t rank = spatial.size();
  const std::string automatic = attributes.text("auto_pad", "NOTSET");
  Dimensions pads(2 * rank, 0);
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    window.same = true;
  } else if (automatic == "NOTSET" || automatic.empty()) {
    if (!read_list(attributes, "pads", 2 * rank, 0, 0, pads, problem)) return false;
  } else if (automatic != "VALID") {
    problem = fmt::format("'auto_pad' is '{}'", automatic);
    return false;
  }
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(rank);
  window.pads_begin.assign(pads.begin(), middle);
  window.pads_end.assign(middle, pads.end());
  for (std::size_t axis = 0; window.same && axis < rank; ++axis)
    pad_same(window, axis, spatial[axis], automatic == "SAME_UPPER");
  return true;
}

}  // namespace

std::int64_t Window::extent(std::size_t axis) const {
  return (kernel[axis] - 1) * dilations[axis] + 1;
}

std::int64_t Window::count(std::size_t axis, std::int64_t input) const {
  if (input < 0) return unknown_dimension;
  if (same) return (input + strides[axis] - 1) / strides[axis];
  if (kernel[axis] < 0) return unknown_dimension;
  const std::int64_t room = input + pads_begin[axis] + pads_end[axis] - extent(axis);
  if (room < 0) return 0;
  const std::int64_t windows = (ceil ? room + strides[axis] - 1 : room) / strides[axis] + 1;
  const bool behind = ceil && (windows - 1) * strides[axis] >= input + pads_begin[axis];
  return behind ? windows - 1 : windows;
}

std::optional<Window> window_of(const Attributes& attributes, Dimensions kernel, const Dimensions& spatial,
                                std::string& problem) {
  Window window;
  window.kernel = std::move(kernel);
  window.ceil = attributes.integer("ceil_mode", 0) != 0;
  const std::size_t rank = spatial.size();
  const bool good = merge_kernel(attributes, window.kernel, rank, problem) &&
                    read_list(attributes, "strides", rank, 1, 1, window.strides, problem) &&
                    read_list(attributes, "dilations", rank, 1, 1, window.dilations, problem) &&
                    set_pads(attributes, window, spatial, problem);
  return good ? std::optional(std::move(window)) : std::nullopt;
}

}  // namespace convscope::network
