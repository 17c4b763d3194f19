#include "core/snowflake/plan/candidates.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/snowflake/plan/decide.h"
#include "core/snowflake/plan/streamed_maps.h"
#include "core/snowflake/plan/tiles.h"

namespace convscope::snowflake {
namespace {

// Kernels of each vMAC that fill a bank, or all that there are.
int most_kernels(const LayerShape& s, const Mapping& m, const ComputeMachine& machine) {
  const KernelShape k = kernel_shape(s, m, machine);
  const int by_words = machine.kernel_bank_words / std::max(1, k.kernel_words);
  return std::min({by_words, machine.bias_words / std::max(1, k.bias_words), k.slots});
}

class Candidates {
 public:
  Candidates(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine)
      : machine_(machine),
        shape_(shape_of(layer, regions, machine, false)),
        positions_(shape_of(layer, regions, machine, true)) {}

  std::vector<Mapping> all() {
    if (shape_.pool()) {
      pools();
      return std::move(list_);
    }
    for (const bool independent : {false, true})
      for (const bool split : {false, true})
        for (const bool by_position : {false, true}) convolution(independent, split, by_position);
    return std::move(list_);
  }

 private:
  void pools() {
    Mapping m;
    m.split = true;
    m.map_pieces = 1;
    if (largest_tiles(shape_, m, machine_)) add_tiles(shape_, m);
    m.channels = 0;
    m.undivided = true;
    m.map_pieces = 2 * machine_.load_units;
    if (few_tiles(shape_, m)) add_tiles(shape_, m);
    // Where bookkeeping takes longer than short traces.
    const std::vector<Mapping> looped = list_;
    for (Mapping unrolled : looped) {
      unrolled.form = TraceForm::unrolled;
      unrolled.outputs_per_turn = 3;
      add(unrolled);
    }
  }

  void convolution(bool independent, bool split, bool by_position) {
    if (by_position && !shape_.pointwise()) return;
    const LayerShape& s = by_position ? positions_ : shape_;
    Mapping m;
    m.independent = independent;
    m.split = split;
    m.by_position = by_position;
    m.map_pieces = split ? 1 : 2 * machine_.load_units;
    m.kernels_early = !split && !s.has_bypass;
    m.outputs_per_turn = 3;
    const bool fits = largest_tiles(s, m, machine_);
    if (fits) kernels(s, m);
    const bool several = !fits || map_tiles(s, m, machine_).size() > 1;
    m.undivided = true;
    if (several && few_tiles(s, m)) kernels(s, m);
    if (!fits && !independent && !split && !by_position) {
      stream_maps(m);
      add(m);
    }
  }

  // As few tiles of even height as fit: where a bypass lies goes by the height.
  bool few_tiles(const LayerShape& s, Mapping& m) const {
    m.columns = s.out.width;
    for (int count = 1; count <= s.out.height; ++count) {
      m.rows = divide_up(s.out.height, count * (m.split ? machine_.cus : 1));
      const auto tiles = static_cast<int>(map_tiles(s, m, machine_).size());
      if (tiles <= count && tiles_fit(s, m, machine_)) return true;
      if (m.rows == 1) break;
    }
    return false;
  }

  void kernels(const LayerShape& s, Mapping m) {
    const int words = s.kernel_width * s.in.pitch;
    const int cycles = m.independent ? words : divide_up(words, machine_.macs);
    m.form = cycles < 8 ? TraceForm::unrolled : TraceForm::looped;
    const KernelShape shape = kernel_shape(s, m, machine_);
    const int most = most_kernels(s, m, machine_);
    m.single = most < 1;
    if (m.single && shape.tile_words(1, machine_.macs) > 2 * machine_.kernel_bank_stride()) {
      if (m.independent || m.split || m.undivided) return;
      stream_parts(m);
      return add(m);
    }
    if (m.single && s.groups == 1 && shape.slots > 1) ring(s, m, shape.slots);
    if (m.independent && m.single && shape.slots > 1) return;
    for (const int kernels : {1, std::max(1, most / 2), std::max(1, most)}) {
      if (kernels == m.kernels_per_vmac && kernels > 1) continue;
      m.kernels_per_vmac = kernels;
      for (const bool maps_loop : {false, true}) {
        m.maps_loop = maps_loop;
        if (!(maps_loop && (m.single || m.undivided))) add_tiles(s, m);
      }
      if (most <= 1) break;
    }
  }

  void ring(const LayerShape& s, Mapping m, int slots) {
    m.single = false;
    m.ring = true;
    m.kernels_per_vmac = slots;
    add_tiles(s, m);
  }

  // The highest tiles; as many of even height; one more.
  void add_tiles(const LayerShape& s, Mapping m) {
    add(m);
    if (m.undivided) return;
    const auto tiles = static_cast<int>(map_tiles(s, m, machine_).size());
    if (m.columns < s.out.width || tiles < 2) return;
    for (const int count : {tiles, tiles + 1}) {
      m.rows = divide_up(s.out.height, count * (m.split ? machine_.cus : 1));
      add(m);
    }
  }

  void add(Mapping m) {
    m.prefetch = true;
    if (std::find(list_.begin(), list_.end(), m) == list_.end()) list_.push_back(m);
  }

  const Machine& machine_;
  LayerShape shape_, positions_;
  std::vector<Mapping> list_;
};

}  // namespace

std::vector<Mapping> candidates(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine) {
  return Candidates(layer, regions, machine).all();
}

std::string mapping_name(const Mapping& m) {
  return fmt::format("{}, {} broadcast, {}, {} {}{}, {} kernels a vMAC{}{}", m.independent ? "INDP" : "COOP",
                     m.split ? "kernels" : "maps", m.maps_loop ? "Mloop" : "Kloop", m.rows,
                     m.by_position ? "positions" : "rows", m.undivided && !m.parts ? " in the whole buffer" : "",
                     m.kernels_per_vmac,
                     m.single  ? ", one buffer"
                     : m.ring  ? ", in a ring"
                     : m.parts ? m.undivided ? ", kernels and maps in parts" : ", kernels in parts"
                               : "",
                     m.form == TraceForm::unrolled ? ", unrolled" : "");
}

}  // namespace convscope::snowflake
