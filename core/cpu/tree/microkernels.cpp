#include "core/cpu/tree/microkernels.h"

#include <algorithm>
#include <array>

namespace convscope::cpu {
namespace {

constexpr std::string_view any_image = "HWC WHC HCW CHW WCH CWH", channels_last = "HWC WHC", columns_last = "CHW HCW";
constexpr std::string_view any_output = "HWM MHW HMW WHM MWH WMH", kernels_last = "HWM WHM";
constexpr std::string_view kernels_inside = "YXCM XYCM CYXM YCXM XCYM CXYM";
constexpr std::string_view blocked_kernel = "[M/b]YXC[b] YXCM XYCM CYXM YCXM XCYM CXYM";
constexpr std::string_view channels_inside = "MYXC MXYC YMXC YXMC XMYC XYMC";

using enum Strategy;

constexpr std::array<Microkernel, 19> all{{
    {"ci_sso", "Pairwise channels", pairwise, "C", false, false, "vector", channels_last, channels_inside, any_output},
    {"yxci_sso", "Pairwise channels, Y and X inside", pairwise, "YXC", false, false, "vector", channels_last,
     channels_inside, any_output},
    {"parallel_m", "Parallel kernels, broadcast", parallel, "M", false, false, "broadcast", any_image, kernels_inside,
     kernels_last},
    {"parallel_m_scale", "Parallel kernels, scale", parallel, "M", false, false, "scale", any_image, kernels_inside,
     kernels_last},
    {"parallel_mc", "Parallel kernels, C inside, broadcast", parallel, "MC", false, false, "broadcast", any_image,
     kernels_inside, kernels_last},
    {"parallel_mc_scale", "Parallel kernels, C inside, scale", parallel, "MC", false, false, "scale", any_image,
     kernels_inside, kernels_last},
    {"parallel_myxc", "Parallel kernels, Y, X and C inside, broadcast", parallel, "MYXC", false, false, "broadcast",
     any_image, kernels_inside, kernels_last},
    {"parallel_myxc_scale", "Parallel kernels, Y, X and C inside, scale", parallel, "MYXC", false, false, "scale",
     any_image, kernels_inside, kernels_last},
    {"outer_c", "Outer product, permuted", outer, "C", true, false, "permuted", columns_last, blocked_kernel,
     "MHW HMW"},
    {"outer_yxc", "Outer product, permuted, Y and X inside", outer, "YXC", true, false, "permuted", columns_last,
     blocked_kernel, "MHW HMW"},
    {"outer_lane_c", "Outer product, lanes", outer_lanes, "C", true, true, "lane", "CHW HCW H[W/4]C[4]", blocked_kernel,
     kernels_last},
    {"outer_lane_yxc", "Outer product, lanes, Y and X inside", outer_lanes, "YXC", true, true, "lane",
     "CHW HCW H[W/4]C[4]", blocked_kernel, kernels_last},
    {"wmc_lane_c", "W-M-C, lanes", wmc_lanes, "C", true, true, "lane", channels_last, blocked_kernel, kernels_last},
    {"wmc_lane_yxc", "W-M-C, lanes, Y and X inside", wmc_lanes, "YXC", true, true, "lane", channels_last,
     blocked_kernel, kernels_last},
    {"wmc_c", "W-M-C", wmc, "C", true, true, "broadcast held embedded", any_image, blocked_kernel, kernels_last},
    {"wmc_yxc", "W-M-C, Y and X inside", wmc, "YXC", true, true, "broadcast held embedded", any_image, blocked_kernel,
     kernels_last},
    {"depthwise", "Depthwise", depthwise, "YX", true, true, "vector", channels_last, "YXCM XYCM", kernels_last},
    {"winograd_2d", "Winograd, tiles of rows and columns", wmc, "C", true, true, "broadcast held embedded",
     channels_last, "YX[M/b]C[b] YXCM", kernels_last, Method::winograd_2d},
    {"winograd_1d", "Winograd, sum over tiles of rows", wmc, "YXC", true, true, "broadcast held embedded",
     channels_last, "X[M/b]YC[b] XYCM", kernels_last, Method::winograd_1d},
}};

bool neon(Family family) {
  return family == Family::neon32 || family == Family::neon64;
}

}  // namespace

std::span<const Microkernel> microkernels() {
  return all;
}

const Microkernel* find_microkernel(std::string_view key) {
  const auto* found = std::find_if(all.begin(), all.end(), [&](const Microkernel& one) { return one.key == key; });
  return found == all.end() ? nullptr : found;
}

bool has(Family family, const Microkernel& kernel) {
  if (kernel.operands == "lane" || kernel.operands == "scale") return neon(family);
  if (kernel.strategy == outer) return is_x86(family);
  return true;
}

}  // namespace convscope::cpu
