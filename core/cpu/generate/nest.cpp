#include "core/cpu/generate/nest.h"

#include "core/cpu/generate/nest_body.h"
#include "core/cpu/generate/nest_transforms.h"
#include "core/cpu/kernels/site.h"
#include "core/cpu/tree/image_buffer.h"
#include "core/cpu/tree/loops.h"
#include "core/cpu/tree/tree.h"

namespace convscope::cpu {
namespace {

using Place = NestLoop::Place;

/// Indices of a dimension that a tile or a vector takes, the largest one.
std::int64_t width(const Plan& plan, char dimension) {
  if (dimension == 'W') return pixel_runs(plan).front().extent;
  return dimension == 'M' ? kernel_runs(plan).front().extent : 1;
}

void append_outside(const Plan& plan, Nest& nest) {
  if (plan.groups() > 1) nest.loops.push_back({"g", 'G', plan.groups(), 1, Place::outside});
  const std::vector<LoopSpec> loops = loop_list(plan);
  for (const std::string& name : plan.order) {
    const LoopSpec& spec = *find_loop(loops, name);
    const std::int64_t block = spec.part == LoopSpec::Part::outer ? plan.block(spec.dimension) : 1;
    const std::int64_t step = plan.inside(spec.dimension) ? block : block * width(plan, spec.dimension);
    nest.loops.push_back({name, spec.dimension, spec.trips, step, Place::outside});
  }
}

/// Channels that an iteration of the microkernel's loop takes.
int channel_step(const Plan& plan) {
  if (plan.kernel->strategy == Strategy::pairwise) return plan.lanes();
  return plan.kernel->strategy == Strategy::wmc_lanes ? 2 : 1;
}

void append_inside(const Plan& plan, Nest& nest) {
  for (const char dimension : plan.kernel->loops) {
    const std::int64_t step = dimension == 'M' ? plan.lanes() : dimension == 'C' ? channel_step(plan) : 1;
    const std::int64_t trips = (inside_extent(plan, dimension) + step - 1) / step;
    if (trips > 1) nest.loops.push_back({inner_name(plan, dimension), dimension, trips, step, Place::microkernel});
  }
  if (plan.kernel->pixels && nest.pixels > 1) nest.loops.push_back({"r", 'W', nest.pixels, 1, Place::tile});
  if (!plan.inside('M') && nest.lanes > 1) nest.loops.push_back({"v", 'M', nest.vectors, nest.lanes, Place::tile});
}

NestBuffer buffer_of(const Plan& plan) {
  if (!is_buffer(plan.padding)) return {};
  const Extents extents = padded_extents(plan);
  const double fills = plan.padding == Padding::rows ? static_cast<double>(row_block(plan)->count) : 1;
  return {4 * elements(plan.image, extents), fills, extents.at('H'), extents.at('W')};
}

}  // namespace

std::optional<Nest> describe(const Problem& problem, const Path& path, Diagnostics& diagnostics) {
  if (!check(problem, any_machine(problem), path, diagnostics)) return std::nullopt;
  const Plan plan = decode(problem, path);
  Nest nest;
  nest.problem = plan.problem;
  nest.family = plan.family->family;
  nest.microkernel = plan.kernel->key;
  nest.operand = plan.operand;
  nest.image = plan.image, nest.kernel = plan.weights, nest.output = plan.output;
  nest.pixels = static_cast<int>(width(plan, 'W'));
  nest.vectors = static_cast<int>(kernel_runs(plan).front().columns.size());
  nest.lanes = plan.lanes();
  append_outside(plan, nest);
  append_inside(plan, nest);
  count_instructions(plan, nest);
  nest.accumulates = plan.accumulates() || plan.kernel->loops == "M";
  nest.streaming = plan.streaming;
  nest.prefetch = plan.prefetch;
  nest.prefetches_next = plan.prefetches_next;
  nest.threads = plan.threads;
  nest.largest_share = plan.winograd() ? 1 : largest_share(plan);
  nest.buffer = buffer_of(plan);
  nest.temporary_bytes = plan.winograd() ? winograd_buffer_bytes(plan) : nest.buffer.bytes * buffer_threads(plan);
  nest.transforms = count_transforms(plan);
  return nest;
}

}  // namespace convscope::cpu
