#include "core/nve/layout/layout.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "core/nve/architecture/program_check.h"
#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/plan_layer.h"

namespace convscope::nve {
namespace {

using network::Layer;

constexpr int most_blocks = 64;  // kernels above are none of a convolutional network

int pieces(int length, int piece) {
  return (length + piece - 1) / piece;
}

// Maps of one pixel lie flat as they are.
bool fewer_columns_flat(const Layer& layer, int lanes) {
  if (layer.kernel.height != 1 || layer.kernel.width != 1) return false;
  const std::int64_t pixels = std::int64_t{layer.out.size.height} * layer.out.size.width;
  const std::int64_t as_it_is = std::int64_t{pieces(layer.out.size.height, lanes)} * layer.out.size.width;
  const std::int64_t columns = (pixels + lanes - 1) / lanes;
  return columns < as_it_is && columns <= largest_size;
}

Layout flat(const Layer& layer, int lanes) {
  Layout layout = plain_layout(layer);
  const std::int64_t pixels = std::int64_t{layer.out.size.height} * layer.out.size.width;
  layout.flat_rows = lanes;
  layout.part.in.size = layout.part.out.size = {lanes, static_cast<int>((pixels + lanes - 1) / lanes)};
  layout.part.stride = layout.part.dilation = {1, 1};
  layout.part.padding = {};
  return layout;
}

// Rows of a part's input from the layer's, of which the host makes an image without padding above.
void set_input_rows(Layer& part) {
  part.padding.top = part.padding.bottom = 0;
  part.in.size.height =
      (part.out.size.height - 1) * part.stride.height + (part.kernel.height - 1) * part.dilation.height + 1;
}

Layout in_phases(Layout layout) {
  const Layer& whole = layout.whole;
  const int common = std::gcd(whole.dilation.height, whole.stride.height);
  layout.parts = std::min(whole.dilation.height / common, whole.out.size.height);
  layout.row_distance = whole.dilation.height;
  layout.part.stride.height = whole.stride.height / common;
  layout.part.dilation.height = 1;
  layout.part.out.size.height = pieces(whole.out.size.height, whole.dilation.height / common);
  set_input_rows(layout.part);
  return layout;
}

// The i-th input's block b is input i * blocks + b.
void multiply_inputs(Layer& part, int blocks) {
  part.in.maps *= blocks;
  for (std::vector<int>& inputs : part.inputs) {
    std::vector<int> all;
    for (const int input : inputs)
      for (int block = 0; block < blocks; ++block) all.push_back(input * blocks + block);
    inputs = std::move(all);
  }
}

Layout in_blocks(Layout layout, int blocks) {
  layout.blocks = blocks;
  layout.part.kernel.height = pieces(layout.part.kernel.height, blocks);
  multiply_inputs(layout.part, blocks);
  set_input_rows(layout.part);
  return layout;
}

bool fits_registers(const Layout& layout, const Switches& switches, const SchedulingMachine& machine) {
  const Layer& part = layout.part;
  const bool polyphase = switches.polyphase && part.dilation.height == 1;
  if (!polyphase && part.stride.height > largest_lane_stride) return false;
  return !layouts_of(window_of(part), switches, machine).empty();
}

std::optional<Layout> with_fewest_blocks(const Layout& layout, const Switches& switches,
                                         const SchedulingMachine& machine) {
  for (int blocks = 1; blocks <= std::min(most_blocks, layout.part.kernel.height); ++blocks) {
    const std::int64_t maps = std::int64_t{layout.part.in.maps} * blocks;
    if (maps > largest_size) break;
    Layout cut = blocks == 1 ? layout : in_blocks(layout, blocks);
    if (fits_registers(cut, switches, machine)) return cut;
  }
  return std::nullopt;
}

/// Where a pixel of a part's input lies in the image; `map` is the image's.
struct Source {
  int map = 0, row = 0, column = 0;
};

Source source_of(const Layout& layout, int part, int map, int row, int column) {
  const Layer& whole = layout.whole;
  if (layout.flat_rows > 0) {
    const std::int64_t pixel = std::int64_t{column} * layout.flat_rows + row;
    const int out_row = static_cast<int>(pixel / whole.out.size.width),
              out_column = static_cast<int>(pixel % whole.out.size.width);
    if (out_row >= whole.out.size.height) return {map, -1, -1};
    return {map, out_row * whole.stride.height - whole.padding.top,
            out_column * whole.stride.width - whole.padding.left};
  }
  const int block_rows = layout.part.kernel.height * layout.part.dilation.height;  // of a part's
  const int first = part * whole.stride.height - whole.padding.top;
  return {map / layout.blocks, first + layout.row_distance * (row + map % layout.blocks * block_rows), column};
}

}  // namespace

std::string Layout::text() const {
  if (flat_rows > 0) return fmt::format("Maps lie flat, {} pixels in sequence a column.", flat_rows);
  std::string text;
  if (row_distance > 1)
    text = fmt::format("Rows are sorted by {} phase{} of the dilation.", parts, parts == 1 ? "" : "s");
  if (blocks > 1)
    text += fmt::format("{}The kernel is cut into {} blocks of {} rows.", text.empty() ? "" : " ", blocks,
                        part.kernel.height);
  return text;
}

double Layout::weight_share() const {
  return static_cast<double>(whole.kernel.height) / (static_cast<double>(part.kernel.height) * blocks);
}

std::optional<network::Size> Layout::result(int part_number, int row, int column) const {
  if (flat_rows > 0) {
    const std::int64_t pixel = std::int64_t{column} * flat_rows + row;
    const std::int64_t width = whole.out.size.width;
    if (pixel >= width * whole.out.size.height) return std::nullopt;
    return network::Size{static_cast<int>(pixel / width), static_cast<int>(pixel % width)};
  }
  const int at = part_number + row * parts;
  if (at >= whole.out.size.height) return std::nullopt;
  return network::Size{at, column};
}

Layout plain_layout(const Layer& layer) {
  return {layer, layer};
}

bool has_programs(const Layer& layer) {
  const auto within = [](int least, const network::Size& size, int most) {
    return std::min(size.height, size.width) >= least && std::max(size.height, size.width) <= most;
  };
  return layer.out.maps > 0 && std::max(layer.in.maps, layer.out.maps) <= largest_size &&
         within(0, layer.in.size, largest_size) && within(1, layer.out.size, largest_size) &&
         within(1, layer.kernel, largest_kernel) && within(1, layer.dilation, largest_kernel) &&
         within(1, layer.stride, largest_stride);
}

std::vector<Layout> layouts_for(const Layer& layer, const Switches& switches, const SchedulingMachine& machine) {
  if (!switches.looped || !has_programs(layer)) return {plain_layout(layer)};
  std::vector<Layout> layouts;
  if (fewer_columns_flat(layer, machine.lanes)) layouts.push_back(flat(layer, machine.lanes));
  const Layout plain = plain_layout(layer);
  const bool dilated = layer.dilation.height > 1 && layer.kernel.height > 1;
  if (!fits_registers(plain, switches, machine)) {
    const auto found = with_fewest_blocks(dilated ? in_phases(plain) : plain, switches, machine);
    if (found) layouts.push_back(*found);
  }
  layouts.push_back(plain);
  return layouts;
}

reference::Tensor<std::uint8_t> part_image(const Layout& layout, const reference::Tensor<std::uint8_t>& image,
                                           int part_number, std::uint8_t border) {
  reference::Tensor<std::uint8_t> part(layout.part.in);
  const network::Size size = image.shape.size;
  for (int map = 0; map < part.shape.maps; ++map)
    for (int row = 0; row < part.shape.size.height; ++row)
      for (int column = 0; column < part.shape.size.width; ++column) {
        const Source from = source_of(layout, part_number, map, row, column);
        const bool inside = from.row >= 0 && from.row < size.height && from.column >= 0 && from.column < size.width;
        part.at(map, row, column) = inside ? image.at(from.map, from.row, from.column) : border;
      }
  return part;
}

reference::Coefficients<std::int16_t> part_coefficients(const Layout& layout,
                                                        const reference::Coefficients<std::int16_t>& whole) {
  if (layout.blocks == 1) return whole;
  const int width = layout.whole.kernel.width, height = layout.whole.kernel.height;
  const int rows = layout.part.kernel.height;
  reference::Coefficients<std::int16_t> part{{}, whole.bias};
  for (const std::vector<std::int16_t>& weights : whole.weights) {
    std::vector<std::int16_t>& cut = part.weights.emplace_back();
    const std::size_t taps = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    const auto inputs = static_cast<int>(weights.size() / taps);
    for (int input = 0; input < inputs; ++input)
      for (int row = 0; row < layout.blocks * rows; ++row)
        for (int column = 0; column < width; ++column)
          cut.push_back(row < height ? weights[static_cast<std::size_t>(input) * taps +
                                               static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                               static_cast<std::size_t>(column)]
                                     : std::int16_t{0});
  }
  return part;
}

}  // namespace convscope::nve
