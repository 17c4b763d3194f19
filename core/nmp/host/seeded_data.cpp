#include "core/nmp/host/seeded_data.h"

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

}  // namespace

std::vector<std::uint8_t> seeded_dram(const Program& program, std::uint64_t seed) {
  std::vector<std::uint8_t> dram(static_cast<std::size_t>(program.dram_bytes));
  for (const ProgramLayer& l : program.layers) {
    Seeded inputs(dram, seed, l.element_bytes), weights(dram, ~seed, l.element_bytes);
    for (int m = 0; m < l.in.maps; ++m)
      for (int r = 0; r < l.in.rows; ++r)
        for (int c = 0; c < l.in.columns; ++c)
          inputs.write(l.in.first_byte + m * l.in.map_pitch + r * l.in.row_pitch + std::int64_t{c} * l.element_bytes);
    const std::int64_t count = std::int64_t{l.out.maps} * l.channels * l.vertical.kernel * l.horizontal.kernel;
    for (std::int64_t i = 0; i < count; ++i) weights.write(l.weights.first_byte + i * l.element_bytes);
  }
  return dram;
}

}  // namespace convscope::nmp
