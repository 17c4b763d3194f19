#include "core/nmp/architecture/program.h"

#include <algorithm>
#include <map>

namespace convscope::nmp {

std::int64_t ProgramLayer::weight_elements() const {
  if (is_spread(computation)) return out.maps;
  if (is_pair(computation)) return std::int64_t{out.maps} * out.rows * out.columns;
  return multiplies(computation) ? std::int64_t{out.maps} * channels * vertical.kernel * horizontal.kernel : 0;
}

Machine whole_machine(const Machine& machine) {
  Machine whole = machine;
  const Doubled twice = machine.held_twice();
  if (twice.input) whole.input_bytes *= 2;
  if (twice.weights) whole.weight_bytes *= 2;
  if (twice.output) whole.output_bytes *= 2;
  whole.double_buffering = whole.choose_doubled = false;
  whole.doubled = {};
  return whole;
}

std::int64_t memory_bytes(const Machine& whole, Memory memory) {
  switch (memory) {
    case Memory::data:
      return data_ram_bytes;
    case Memory::input:
      return whole.input_bytes;
    case Memory::weights:
      return whole.weight_bytes;
    case Memory::output:
      break;
  }
  return whole.output_bytes;
}

const Region* Program::tables_region() const {
  const auto found = std::find_if(regions.begin(), regions.end(),
                                  [](const Region& region) { return region.kind == RegionKind::tables; });
  return found == regions.end() ? nullptr : &*found;
}

ByteRange bytes_of(const MapsPlace& p, int element_bytes) {
  return {p.first_byte, p.first_byte + (p.maps - 1) * p.map_pitch + (p.rows - 1) * p.row_pitch +
                            std::int64_t{p.columns} * element_bytes};
}

ByteRange bytes_of_weights(const ProgramLayer& layer) {
  return {layer.weights.first_byte, layer.weights.first_byte + layer.weight_elements() * layer.element_bytes};
}

namespace {

/// Disjoint ranges that bytes are added to.
class ByteSet {
 public:
  /// What of the range isn't there yet.
  std::vector<ByteRange> missing(ByteRange range) const {
    std::vector<ByteRange> gaps;
    auto next = ends_.upper_bound(range.begin);
    for (; range.begin < range.end && next != ends_.end() && next->second < range.end; ++next) {
      if (range.begin < next->second) gaps.push_back({range.begin, next->second});
      range.begin = next->first;
    }
    if (range.begin < range.end) gaps.push_back(range);
    return gaps;
  }
  void add(ByteRange range) {
    for (const ByteRange& gap : missing(range)) ends_[gap.end] = gap.begin;
  }

 private:
  std::map<std::int64_t, std::int64_t> ends_;  // first bytes by end
};

}  // namespace

std::vector<ByteRange> given_maps(const Program& program) {
  const auto is_maps = [&](int region) {
    return region >= 0 && program.regions[static_cast<std::size_t>(region)].kind == RegionKind::maps;
  };
  ByteSet known;
  std::vector<ByteRange> given;
  const auto read = [&](ByteRange range) {
    const std::vector<ByteRange> gaps = known.missing(range);
    given.insert(given.end(), gaps.begin(), gaps.end());
    known.add(range);
  };
  for (const ProgramLayer& layer : program.layers) {
    if (is_maps(layer.in.region)) read(bytes_of(layer.in, layer.element_bytes));
    if (is_maps(layer.weights.region)) read(bytes_of_weights(layer));
    if (is_maps(layer.residual.region)) read(bytes_of(layer.residual, layer.element_bytes));
    if (is_maps(layer.out.region)) known.add(bytes_of(layer.out, layer.element_bytes));
  }
  return given;
}

}  // namespace convscope::nmp
