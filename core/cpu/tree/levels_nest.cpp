// Blocks, order of loops, padding, prefetching, stores, threads.

#include <algorithm>

#include <fmt/format.h>

#include "core/cpu/tree/image_buffer.h"
#include "core/cpu/tree/levels.h"
#include "core/cpu/tree/loops.h"
#include "core/cpu/tree/next_weights.h"
#include "core/cpu/tree/size.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

constexpr int factors[] = {2, 4, 8, 16, 32, 64, 128, 256};

std::string block_fault(const Plan& plan, char dimension, int factor) {
  const std::int64_t trips = iterations(plan, dimension);
  if (plan.inside(dimension) && dimension == 'M' && factor % plan.lanes() != 0) return "vectors don't divide it";
  if (dimension == 'M' && !plan.inside('M') && kernel_runs(plan).size() > 1) return "tiles along M differ";
  if (dimension == 'W' && pixel_runs(plan).size() > 1) return "tiles along W differ";
  if (dimension == 'C' && !plan.winograd() && !plan.output.storage.complete())
    return "sums would be rounded to what is stored";
  if (dimension == 'W' && plan.winograd() && trips > 1) return "blocks of tiles are what blocks W";
  if (trips <= factor || trips % factor != 0) return fmt::format("it doesn't divide {} iterations", trips);
  return {};
}

bool before(const Plan& plan, char dimension) {
  const std::vector<LoopSpec> loops = loop_list(plan);
  return std::any_of(loops.begin(), loops.end(), [&](const LoopSpec& loop) {
    return loop.dimension == dimension &&
           std::find(plan.order.begin(), plan.order.end(), loop.name) != plan.order.end();
  });
}

double order_weight(const LevelInput& in, const LoopSpec& loop) {
  const bool rows = iterations(in.plan, 'H') > 1 && !before(in.plan, 'H');
  const bool columns = iterations(in.plan, 'W') > 1 && !before(in.plan, 'W');
  if (loop.dimension == 'W' && rows && in.plan.image.order == "HWC") return in.weights.of("order W before H in HWC");
  const bool tap = loop.dimension == 'Y' || loop.dimension == 'X';
  return tap && (rows || columns) ? in.weights.of("order Y or X outside H or W") : 1;
}

bool padded(const Problem& p) {
  return p.pad_top + p.pad_left + p.pad_bottom + p.pad_right > 0;
}

/// Vectors along W reach beyond the last pixel.
bool overhangs(const Plan& plan) {
  const Strategy strategy = plan.kernel->strategy;
  const int width = plan.problem.out_width();
  if (strategy == Strategy::outer) return width % plan.lanes() != 0;
  if (strategy != Strategy::outer_lanes || plan.image.blocked != 0) return false;
  const std::vector<TileRun> runs = pixel_runs(plan);
  return std::any_of(runs.begin(), runs.end(), [](const TileRun& run) { return run.extent % 4 != 0; });
}

/// Register tiles, unrolled, once for each of the ways in which taps miss the image.
std::string length_fault(const Plan& plan, Padding padding) {
  Plan chosen = plan;
  chosen.padding = padding;
  return size_fault(chosen);
}

std::string padding_fault(const Plan& plan, Padding padding) {
  const bool across = plan.kernel->strategy == Strategy::outer || plan.kernel->strategy == Strategy::outer_lanes;
  const bool needed = padded(plan.problem) || (across && overhangs(plan));
  // An element is loaded many times: it is converted once.
  if (!plan.image.storage.complete() && !is_buffer(padding)) return "the image is converted in a buffer";
  if (!plan.image.storage.complete()) return {};
  if (padding == Padding::none) return needed ? "taps or vectors reach beyond the image" : "";
  if (!needed) return "nothing reaches beyond the image";
  if (is_buffer(padding)) return {};
  return across ? "vectors across W need pixels around the image" : length_fault(plan, padding);
}

/// Bytes of a padded copy of the image, with what vectors along W may reach beyond it.
std::int64_t padded_bytes(const Plan& plan) {
  const Problem& p = plan.problem;
  return std::int64_t{4} * (p.pad_top + p.height + p.pad_bottom) * (p.pad_left + p.width + p.pad_right + plan.lanes()) *
         p.channels;
}

std::string memory_fault(const LevelInput& in, std::int64_t bytes) {
  if (bytes <= in.machine.temporary_bytes) return {};
  return fmt::format("it takes {} bytes of temporary memory, more than {}", bytes, in.machine.temporary_bytes);
}

std::string buffer_fault(const LevelInput& in) {
  const std::string fault = padding_fault(in.plan, Padding::buffer);
  return fault.empty() ? memory_fault(in, padded_bytes(in.plan)) : fault;
}

/// A block of rows is filled once, for everything that comes of it.
std::string rows_fault(const LevelInput& in) {
  if (std::string fault = padding_fault(in.plan, Padding::rows); !fault.empty()) return fault;
  if (in.plan.groups() > 1) return "each group would fill a block of rows of its own";
  if (!row_block(in.plan)) return "the outermost loop isn't over rows";
  Plan chosen = in.plan;
  chosen.padding = Padding::rows;
  chosen.threads = std::min(in.machine.threads, in.problem.threads);  // as there may be
  return memory_fault(in, std::int64_t{4} * elements(chosen.image, padded_extents(chosen)) * buffer_threads(chosen));
}

std::string_view rows_rule(const Plan& plan) {
  return plan.image.storage.complete() ? "padding rows" : "padding rows, image converted";
}

std::string streaming_fault(const Plan& plan) {
  const int lanes = plan.lanes();
  if (!is_x86(plan.family->family)) return "it is for x86 only";
  if (!plan.winograd() && (plan.accumulates() || plan.kernel->loops == "M")) return "sums are read again";
  if (!plan.output.storage.complete()) return "vectors of flyte have no size that is stored past the caches";
  if (plan.kernel->strategy == Strategy::pairwise || plan.kernel->strategy == Strategy::outer)
    return "stores aren't vectors along M";
  if (plan.kernels() % lanes != 0 || plan.problem.kernels % lanes != 0)
    return "pixels of the output don't begin at multiples of a vector";
  return {};
}

std::string thread_fault(const LevelInput& in) {
  const Plan& plan = in.plan;
  if (in.machine.threads < 2 || in.problem.threads < 2) return "one thread is asked for";
  if (plan.family->family == Family::neon32 || plan.family->family == Family::neon64)
    return "programs for other machines are freestanding";
  if (plan.winograd()) return plan.padding == Padding::tile ? "threads would share a tile's copy" : "";
  return division_fault(plan);
}

}  // namespace

std::vector<Option> block_options(const LevelInput& in, char dimension) {
  const auto chain = [&](int channels) { return dimension == 'C' ? chain_fault(in, channels) : std::string(); };
  std::vector<Option> values{option("none", in.weights.of("block none"), chain(in.problem.group_channels()))};
  for (const int factor : factors) {
    const std::string fault = block_fault(in.plan, dimension, factor);
    values.push_back(option(fmt::format("{}", factor), 1, fault.empty() ? chain(factor) : fault));
  }
  return values;
}

std::vector<Option> loop_options(const LevelInput& in) {
  std::vector<Option> values;
  const std::vector<LoopSpec> loops = loop_list(in.plan);
  values.reserve(loops.size());
  for (const LoopSpec& loop : loops)
    values.push_back(option(loop.name, order_weight(in, loop), order_fault(loops, in.plan.order, loop)));
  return values;
}

std::vector<Option> padding_options(const LevelInput& in) {
  const Plan& plan = in.plan;
  if (plan.winograd()) return tile_padding_options(in);
  return {option("none", 1, padding_fault(plan, Padding::none)),
          option("tests", in.weights.of("padding tests"), padding_fault(plan, Padding::tests)),
          option("peeled", in.weights.of("padding peeled"), padding_fault(plan, Padding::peeled)),
          option("buffer", 1, buffer_fault(in)), option("rows", in.weights.of(rows_rule(plan)), rows_fault(in))};
}

std::vector<Option> prefetch_options(const LevelInput& in) {
  std::vector<Option> values{option("none", in.weights.of("prefetch none"))};
  for (const char* bytes : {"256", "512", "1024"}) values.push_back(option(bytes, 1));
  const bool far = bytes(in.plan.weights, kernel_transform(in.plan).extents(in.plan.convolution)) > in.machine.l2_bytes;
  values.push_back(option("next", in.weights.of(far ? "prefetch next, weights beyond L2" : "prefetch next"),
                          next_weights_fault(in.plan)));
  return values;
}

std::vector<Option> store_options(const LevelInput& in) {
  const bool large = bytes(in.plan.output, in.problem.output()) > in.machine.l2_bytes;
  return {option("plain", 1),
          option("streaming", in.weights.of(large ? "store streaming, output beyond L2" : "store streaming"),
                 streaming_fault(in.plan))};
}

std::vector<Option> thread_options(const LevelInput& in) {
  return {option("none", 1), option("openmp", in.weights.of("threads openmp"), thread_fault(in))};
}

}  // namespace convscope::cpu
