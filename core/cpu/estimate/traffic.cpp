#include "core/cpu/estimate/traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace convscope::cpu {
namespace {

constexpr double line_bytes = 64;
constexpr std::string_view letters = "GMHWYXC";  // of loops

/// An extent for each letter.
struct Box {
  std::array<double, letters.size()> extent{};
  double& operator[](char letter) { return extent[letters.find(letter)]; }
  double operator[](char letter) const { return extent[letters.find(letter)]; }
};

Box whole(const Problem& p) {
  Box box;
  box['G'] = p.groups;
  box['M'] = p.group_kernels();
  box['H'] = p.out_height();
  box['W'] = p.out_width();
  box['Y'] = p.kernel_height;
  box['X'] = p.kernel_width;
  box['C'] = p.group_channels();
  return box;
}

/// What one iteration of the innermost loop of each dimension covers.
Box body_box(const Nest& nest, const Box& full) {
  Box box;
  box.extent.fill(1);
  for (const NestLoop& loop : nest.loops)
    box[loop.dimension] = std::min(static_cast<double>(loop.step), full[loop.dimension]);
  return box;
}

/// A tensor's own dimensions, that it uses `used` elements of out of `all`.
struct Dimension {
  char letter;
  double used, all;
};

/// Bytes of a box out of a tensor, in whole lines: elements are contiguous over the innermost dimensions that are used
/// up, and over a part of the next one.
template <std::size_t count>
double lines_of(const Layout& layout, const std::array<Dimension, count>& dimensions) {
  double elements = 1, run = 1;
  for (const Dimension& d : dimensions) elements *= d.used;
  bool contiguous = true;
  const auto extend = [&](double used, double all) {
    if (contiguous) run *= used;
    contiguous = contiguous && used >= all;
  };
  const auto find = [&](char letter) {
    return std::find_if(dimensions.begin(), dimensions.end(), [&](const Dimension& d) { return d.letter == letter; });
  };
  if (layout.blocked != 0)
    if (const auto d = find(layout.blocked); d != dimensions.end())
      extend(std::min<double>(d->used, layout.block), layout.block);
  for (auto letter = layout.order.rbegin(); letter != layout.order.rend(); ++letter) {
    const auto d = find(*letter);
    if (d == dimensions.end()) continue;
    if (*letter == layout.blocked)
      extend(std::ceil(d->used / layout.block), std::ceil(d->all / layout.block));
    else
      extend(d->used, d->all);
  }
  return elements / run * std::ceil(run * layout.storage.bytes / line_bytes) * line_bytes;
}

Footprint footprint(const Nest& nest, const Problem& p, const Box& box, const Box& full) {
  const auto pixels = [](double outputs, int stride, double taps, int dilation, int all) {
    return std::min<double>((outputs - 1) * stride + (taps - 1) * dilation + 1, all);
  };
  // A buffer of a block of rows is the same for all of them.
  const bool blocks = nest.buffer.fills > 1;
  const int all_rows = blocks ? std::min(p.height, nest.buffer.rows) : p.height;
  const int all_columns = blocks ? std::min(p.width, nest.buffer.columns) : p.width;
  const double rows = pixels(box['H'], p.stride_height, box['Y'], p.dilation_height, all_rows);
  const double columns = pixels(box['W'], p.stride_width, box['X'], p.dilation_width, all_columns);
  const double channels = box['G'] * box['C'], maps = box['G'] * box['M'];
  Footprint result;
  // Stored as flyte it is read once, and from then on from the buffer that it was converted in.
  result.image = lines_of<3>(in_floats(nest.image), {{{'H', rows, static_cast<double>(p.height)},
                                                      {'W', columns, static_cast<double>(p.width)},
                                                      {'C', channels, static_cast<double>(p.channels)}}});
  result.kernel = lines_of<4>(nest.kernel, {{{'M', maps, static_cast<double>(p.kernels)},
                                             {'Y', box['Y'], full['Y']},
                                             {'X', box['X'], full['X']},
                                             {'C', box['C'], full['C']}}});
  // Of a block's products; outputs are counted with the transforms.
  const Layout outputs = nest.transforms.products > 0 ? in_floats(nest.output) : nest.output;
  result.output = lines_of<3>(
      outputs, {{{'H', box['H'], full['H']}, {'W', box['W'], full['W']}, {'M', maps, static_cast<double>(p.kernels)}}});
  return result;
}

/// Bytes of one tensor that come in; loops from `fitting` inwards keep what they touch.
double moved(const Nest& nest, const std::vector<Footprint>& at, double Footprint::*tensor, std::size_t fitting) {
  std::size_t depth = fitting;
  // Loops around that touch nothing else of this tensor find it still there; the next one shares with its iteration
  // before whatever both touch.
  while (depth > 0 && at[depth - 1].*tensor <= at[depth].*tensor) --depth;
  if (depth > 0) --depth;
  double bytes = at[depth].*tensor;
  for (std::size_t outside = 0; outside < depth; ++outside) bytes *= static_cast<double>(nest.loops[outside].trips);
  return bytes;
}

/// The outermost depth from which on everything touched fits into the capacity.
std::size_t fitting_depth(const Nest& nest, const std::vector<Footprint>& at, std::int64_t capacity) {
  const auto fits = [&](const Footprint& f) { return f.all() <= static_cast<double>(capacity); };
  const auto first = std::find_if(at.begin(), at.end(), fits);
  return std::min<std::size_t>(static_cast<std::size_t>(first - at.begin()), nest.loops.size());
}

}  // namespace

std::vector<Footprint> footprints(const Nest& nest) {
  const Problem& problem = nest.problem;
  const Box full = whole(problem);
  Box box = body_box(nest, full);
  std::vector<Footprint> at(nest.loops.size() + 1);
  at.back() = footprint(nest, problem, box, full);
  for (std::size_t depth = nest.loops.size(); depth-- > 0;) {
    const NestLoop& loop = nest.loops[depth];
    double& extent = box[loop.dimension];
    extent = std::min(extent + static_cast<double>((loop.trips - 1) * loop.step), full[loop.dimension]);
    at[depth] = footprint(nest, problem, box, full);
  }
  return at;
}

double traffic(const Nest& nest, const std::vector<Footprint>& at, std::int64_t capacity) {
  const std::size_t fitting = fitting_depth(nest, at, capacity);
  if (fitting == 0) return 0;
  const double outputs = moved(nest, at, &Footprint::output, fitting);
  return moved(nest, at, &Footprint::image, fitting) + moved(nest, at, &Footprint::kernel, fitting) +
         outputs * (nest.streaming ? 1 : 2);
}

double streamed(const Nest& nest, const std::vector<Footprint>& at, std::int64_t capacity) {
  const std::size_t fitting = fitting_depth(nest, at, capacity);
  return nest.streaming && fitting > 0 ? moved(nest, at, &Footprint::output, fitting) : 0;
}

double block_traffic(const Nest& nest, const std::vector<Footprint>& at, std::int64_t capacity) {
  const NestTransforms& t = nest.transforms;
  const auto room = static_cast<double>(capacity);
  const auto kernels = static_cast<double>(t.kernel_bytes), block = static_cast<double>(t.block_bytes);
  double bytes = t.products * traffic(nest, at, capacity);
  if (kernels + block > room) bytes = std::max(bytes, t.blocks * kernels);
  if (block > room) bytes += 2 * t.blocks * block;
  if (kernels + block + t.image_bytes + t.output_bytes > room) bytes += t.image_bytes + 2 * t.output_bytes;
  return bytes;
}

}  // namespace convscope::cpu
