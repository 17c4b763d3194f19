#include "core/nmp/host/seeded_data.h"

#include <algorithm>
#include <optional>

#include "core/nmp/host/reference_output.h"
#include "core/reference/fixed_point.h"

namespace convscope::nmp {
namespace {

/// Words of a stream, one after the other.
class Seeded {
 public:
  Seeded(std::vector<std::uint8_t>& dram, std::uint64_t seed, int bytes)
      : dram_(dram), seed_(seed), bytes_(bytes), amplitude_((1 << (8 * bytes - 1)) - 1) {}
  void write(std::int64_t byte) {
    write_element(dram_, byte, bytes_, reference::seeded_word(seed_, index_++, amplitude_));
  }

 private:
  std::vector<std::uint8_t>& dram_;
  std::uint64_t seed_, index_ = 0;
  int bytes_, amplitude_;
};

void write_maps(Seeded& words, const MapsPlace& place, int element_bytes) {
  for (int m = 0; m < place.maps; ++m)
    for (int r = 0; r < place.rows; ++r)
      for (int c = 0; c < place.columns; ++c)
        words.write(place.first_byte + m * place.map_pitch + r * place.row_pitch + std::int64_t{c} * element_bytes);
}

/// The same layer of the next image of a batch.
bool is_next_image(const ProgramLayer& before, ProgramLayer layer) {
  layer.name = before.name;
  layer.in = before.in;
  layer.out = before.out;
  layer.residual = before.residual;
  layer.partial_sums = before.partial_sums;
  if (is_pair(layer.computation)) layer.weights = before.weights;
  return layer == before;
}

/// What a layer reads that no layer computes.
struct Streams {
  Seeded inputs, weights, residuals;
};

}  // namespace

std::vector<std::uint8_t> seeded_dram(const Program& program, std::uint64_t seed) {
  std::vector<std::uint8_t> dram(static_cast<std::size_t>(program.dram_bytes));
  const std::vector<ByteRange> given = given_maps(program);
  // Inputs of layers that others compute are theirs.
  const auto computed = [&](int region, std::int64_t first) {
    return region >= 0 && program.regions[static_cast<std::size_t>(region)].kind == RegionKind::maps &&
           std::none_of(given.begin(), given.end(),
                        [&](const ByteRange& range) { return first >= range.begin && first < range.end; });
  };
  for (std::size_t i = 0; i < program.tables.size(); ++i)
    write_element(dram, program.tables_region()->first_byte + static_cast<std::int64_t>(4 * i), 4,
                  static_cast<std::int32_t>(program.tables[i]));
  const ProgramLayer* before = nullptr;
  std::optional<Streams> streams;
  for (const ProgramLayer& l : program.layers) {
    const bool goes_on = before && is_next_image(*before, l);
    if (!goes_on)
      streams.emplace(
          Streams{{dram, seed, l.element_bytes}, {dram, ~seed, l.element_bytes}, {dram, seed + 1, l.element_bytes}});
    before = &l;
    if (!computed(l.residual.region, l.residual.first_byte))
      write_maps(streams->residuals, l.residual, l.element_bytes);
    if (!computed(l.in.region, l.in.first_byte)) write_maps(streams->inputs, l.in, l.element_bytes);
    const bool has_seeded = !computed(l.weights.region, l.weights.first_byte);
    if (goes_on && !is_pair(l.computation)) continue;  // its weights are there
    for (std::int64_t i = 0; i < l.weight_elements() && has_seeded; ++i)
      streams->weights.write(l.weights.first_byte + i * l.element_bytes);
  }
  return dram;
}

}  // namespace convscope::nmp
