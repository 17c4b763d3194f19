// Family, microkernel, layouts.

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cpu/tree/levels.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

std::string_view rule(const Microkernel& kernel) {
  if (kernel.method != Method::direct)
    return kernel.method == Method::winograd_2d ? "microkernel Winograd" : "microkernel Winograd, sum over rows";
  const bool taps = kernel.loops.find('Y') != std::string_view::npos;
  switch (kernel.strategy) {
    case Strategy::pairwise:
      return taps ? "microkernel pairwise, Y and X inside" : "microkernel pairwise";
    case Strategy::parallel:
      return kernel.loops == "M" ? "microkernel parallel kernels, C outside" : "microkernel parallel kernels";
    case Strategy::outer:
    case Strategy::outer_lanes:
      return taps ? "microkernel outer product, Y and X inside" : "microkernel outer product";
    case Strategy::depthwise:
      return "microkernel depthwise";
    default:
      return taps ? "microkernel W-M-C, Y and X inside" : "microkernel W-M-C";
  }
}

std::string winograd_fault(const Problem& p, Method method) {
  if (p.stride_height != 1 || p.stride_width != 1)
    return "Winograd's tiles take neighbouring pixels, the stride skips some";
  if (p.dilation_height != 1 || p.dilation_width != 1)
    return "Winograd's tiles take neighbouring pixels, taps skip some";
  if (p.groups != 1) return "there would be a product for each group";
  if (p.kernel_width < 2) return "a kernel one column wide saves no multiplication";
  if (p.kernel_width > winograd::most_kernel)
    return fmt::format("transforms are made for kernels of up to {} columns", winograd::most_kernel);
  return method == Method::winograd_2d && p.kernel_height != p.kernel_width ? "the kernel isn't square" : "";
}

/// One of two families alike but for loads and stores of three bytes: nothing is drawn twice.
std::string family_fault(const Problem& p, Family family) {
  const StoredTensors& stored = p.stored;
  const auto three = [](const flyte::Storage& storage) { return storage.bytes == 3; };
  if (family != Family::avx512vbmi || three(stored.image) || three(stored.weights) || three(stored.output)) return {};
  return "nothing is stored in three bytes: it would be avx512's program";
}

std::string microkernel_fault(const LevelInput& in, const Microkernel& kernel) {
  const Problem& p = in.problem;
  if (!includes(in.machine.methods, kernel.method)) return "another method is asked for";
  if (kernel.method != Method::direct) return winograd_fault(p, kernel.method);
  if (!has(in.plan.family->family, kernel)) return fmt::format("{} has no instructions for it", in.plan.family->key);
  if (kernel.strategy == Strategy::depthwise && (!p.depthwise() || p.kernels != p.channels))
    return "each channel would need a kernel of its own";
  if ((kernel.strategy == Strategy::outer || kernel.strategy == Strategy::outer_lanes) && p.stride_width != 1)
    return "vectors across W take neighbouring pixels, the stride skips some";
  if (kernel.strategy == Strategy::outer && p.groups > 1) return "its vectors of kernels would mix groups";
  const auto outside = [&](char dimension, int extent) {
    return extent > 1 && kernel.loops.find(dimension) == std::string_view::npos;
  };
  const bool sums = kernel.loops == "M" || outside('Y', p.kernel_height) || outside('X', p.kernel_width) ||
                    (kernel.strategy != Strategy::depthwise && outside('C', p.group_channels()));
  if (!p.stored.output.complete() && sums) return "sums would be rounded to " + flyte::text(p.stored.output);
  return {};
}

std::string image_fault(const LevelInput& in, const Layout& layout) {
  const Problem& p = in.problem;
  if (layout.blocked == 0) return {};
  if (!p.stored.image.complete()) return "the buffer that the image is converted in has no blocks";
  if (p.kernel_width != 1 || p.pad_left + p.pad_right + p.pad_top + p.pad_bottom > 0)
    return "a vector of a shifted pixel would lie in two blocks";
  return p.width % layout.block != 0 ? "the blocks don't divide the width" : "";
}

std::vector<Option> layouts(const LevelInput& in, std::string_view list) {
  std::vector<Option> values;
  for (const std::string& value : words(list))
    values.push_back(option(value, values.empty() ? in.weights.of("layout usual") : 1));
  return values;
}

std::string blocked_fault(const Plan& plan, int vectors) {
  const int lanes = plan.lanes();
  if (lanes == 1) return "a vector is one kernel";
  if (vectors > 1 && !plan.kernel->vectors) return "the microkernel takes one vector";
  if (vectors > 1 && plan.kernels() < vectors * lanes) return "there are fewer kernels than in a block";
  return plan.groups() > 1 && plan.kernels() % (vectors * lanes) != 0 ? "groups would share a block" : "";
}

/// `pattern` has b in the place of the block.
void append_blocked(const LevelInput& in, const std::string& pattern, std::vector<Option>& values) {
  const int lanes = in.plan.lanes();
  for (int vectors = 1; vectors <= most_vectors && (lanes > 1 || vectors == 1); ++vectors) {
    std::string value;
    for (const char letter : pattern) value += letter == 'b' ? std::to_string(lanes * vectors) : std::string(1, letter);
    values.push_back(option(std::move(value), in.weights.of("kernel blocked"), blocked_fault(in.plan, vectors)));
  }
}

}  // namespace

std::vector<Option> family_options(const LevelInput& in) {
  std::vector<Option> values;
  for (const FamilyTraits& one : families()) {
    const auto& all = in.machine.families;
    const bool there = std::find(all.begin(), all.end(), one.family) != all.end();
    values.push_back(option(std::string(one.key), has_512_bits(one.family) ? in.weights.of("family of 512 bit") : 1,
                            there ? family_fault(in.problem, one.family) : "the machine doesn't have it"));
  }
  return values;
}

std::vector<Option> microkernel_options(const LevelInput& in) {
  std::vector<Option> values;
  for (const Microkernel& one : microkernels())
    values.push_back(option(std::string(one.key), in.weights.of(rule(one)), microkernel_fault(in, one)));
  return values;
}

std::vector<Option> image_options(const LevelInput& in) {
  std::vector<Option> values = layouts(in, in.plan.kernel->image);
  for (Option& value : values) value = option(value.value, value.weight, image_fault(in, *parse_layout(value.value)));
  return values;
}

std::vector<Option> kernel_options(const LevelInput& in) {
  std::vector<Option> values;
  std::string_view list = in.plan.kernel->kernel;
  if (const std::string first = words(list).front(); first.find('b') != std::string::npos) {
    append_blocked(in, first, values);
    list.remove_prefix(first.size());
  }
  for (Option& plain : layouts(in, list)) values.push_back(std::move(plain));
  return values;
}

std::vector<Option> output_options(const LevelInput& in) {
  return layouts(in, in.plan.kernel->output);
}

}  // namespace convscope::cpu
