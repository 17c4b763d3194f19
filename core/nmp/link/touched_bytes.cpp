#include "core/nmp/link/touched_bytes.h"

#include <algorithm>

namespace convscope::nmp {
namespace {

class OfTle {
 public:
  OfTle(const LayerPlan& plan, const TensorPlaces& places, int tle)
      : plan_(plan),
        c_(plan.convolution()),
        m_(plan.machine()),
        images_(plan.images()),
        places_(places),
        rows_(plan.rows_of(tle)) {
    units_ = plan.units_of(tle, 0);
    units_.size = plan.units_of(tle, m_.tlts - 1).end() - units_.begin;
    loads_input_ = !plan.rings_input() || plan.input_sharers(tle).first == tle;
  }

  TouchedBytes touched() const {
    if (rows_.size == 0 || units_.size == 0) return {};
    TouchedBytes bytes;
    if (c_.scattered)
      add_moves(bytes);
    else
      for (int image = 0; image < images_.count; ++image) add_image(image, bytes);
    sort(bytes.read);
    sort(bytes.written);
    return bytes;
  }

 private:
  void add_moves(TouchedBytes& bytes) const {
    const std::int64_t element = m_.element_bytes, length = c_.columns.out * element;
    for (int unit = units_.begin; unit < units_.end(); ++unit) {
      const Move& move = plan_.computing().moves[static_cast<std::size_t>(unit)];
      const std::int64_t from =
          (move.operand == 0 ? places_.in : places_.more[static_cast<std::size_t>(move.operand - 1)]) +
          move.from * element;
      const std::int64_t to = places_.out + move.to * element;
      bytes.read.push_back({from, from + length});
      bytes.written.push_back({to, to + length});
    }
  }

  void add_image(int image, TouchedBytes& bytes) const {
    const Range rows = input_of(c_.rows, rows_).range;
    const Range maps = c_.depthwise ? units_ : Range{0, c_.channels};
    const std::int64_t before = image * images_.input_pitch * m_.element_bytes;
    add(places_.in < 0 || !loads_input_ ? -1 : places_.in + before, maps, c_.depthwise ? c_.units : c_.channels,
        {c_.rows.in, c_.columns.in * m_.element_bytes}, rows, bytes.read);
    if (c_.operation == Operator::spread) {
      if (places_.second >= 0)
        bytes.read.push_back({places_.second + units_.begin * std::int64_t{m_.element_bytes},
                              places_.second + units_.end() * std::int64_t{m_.element_bytes}});
    } else {
      add_outputs(places_.second, image, m_.element_bytes, bytes.read);
    }
    for (const std::int64_t operand : places_.more) add_outputs(operand, image, m_.element_bytes, bytes.read);
    add_outputs(places_.residual, image, m_.element_bytes, bytes.read);
    add_outputs(places_.out, image, m_.element_bytes, bytes.written);
    add_outputs(places_.partial_sums, image, m_.partial_sum_bytes, bytes.written);
  }

  void add_outputs(std::int64_t first, int image, int element, std::vector<ByteRange>& ranges) const {
    if (first < 0) return;
    const Range maps{units_.begin * c_.maps_per_unit, units_.size * c_.maps_per_unit};
    add(first + image * images_.output_pitch * element, maps, c_.units * c_.maps_per_unit,
        {c_.rows.out, c_.columns.out * element}, rows_, ranges);
  }

  struct Map {
    int rows = 0;
    std::int64_t row_bytes = 0;
  };
  /// Rows of maps, of each group, which has `group_maps`.
  void add(std::int64_t first, Range maps, int group_maps, Map map, Range rows, std::vector<ByteRange>& ranges) const {
    if (first < 0) return;
    for (int group = 0; group < plan_.groups(); ++group)
      for (int i = maps.begin; i < maps.end(); ++i) {
        const std::int64_t row = (std::int64_t{group} * group_maps + i) * map.rows + rows.begin;
        ranges.push_back({first + row * map.row_bytes, first + (row + rows.size) * map.row_bytes});
      }
  }

  static void sort(std::vector<ByteRange>& ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (const ByteRange& range : ranges)
      if (kept > 0 && range.begin <= ranges[kept - 1].end)
        ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
      else
        ranges[kept++] = range;
    ranges.resize(kept);
  }

  const LayerPlan& plan_;
  const Convolution& c_;
  const Machine& m_;
  const Images& images_;
  const TensorPlaces& places_;
  Range rows_, units_;
  bool loads_input_ = true;  ///< else it comes around the ring
};

}  // namespace

TouchedByTles touched_bytes(const LayerPlan& plan, const TensorPlaces& places) {
  TouchedByTles touched;
  touched.reserve(static_cast<std::size_t>(plan.machine().tles));
  for (int tle = 0; tle < plan.machine().tles; ++tle) touched.push_back(OfTle(plan, places, tle).touched());
  return touched;
}

}  // namespace convscope::nmp
