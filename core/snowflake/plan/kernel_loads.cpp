#include "core/snowflake/plan/kernel_loads.h"

#include <algorithm>

#include "core/snowflake/plan/kernel_ring.h"
#include "core/snowflake/plan/streamed_maps.h"

namespace convscope::snowflake {
namespace {

class Loads {
 public:
  Loads(LayerBlocks& blocks, const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
        const KernelShape& kernels, int start)
      : result_(blocks),
        blocks_(blocks.blocks),
        first_(blocks.first),
        end_(blocks.end),
        s_(shape),
        mapping_(mapping),
        machine_(machine),
        kernels_(kernels),
        start_(start),
        tile_words_(kernels.tile_words(mapping.kernels_per_vmac, machine.macs)) {}

  void run() {
    if (mapping_.parts) return in_parts();
    if (mapping_.single) return filling();
    if (mapping_.ring) return in_a_ring();
    in_two_banks();
  }

 private:
  KernelLoad load_of(int tile) const { return kernel_load(s_, mapping_, machine_, kernels_, tile); }

  // Parts of even length, the last with the biases.
  void in_parts() {
    const int words = kernels_.kernel_words;
    const int most = streams_maps(mapping_)
                         ? std::min(machine_.kernel_bank_words, streamed_place(s_, mapping_, machine_)) /
                               machine_.macs * machine_.macs
                         : machine_.kernel_bank_words;
    const int count = std::max(2, divide_up(words, most));
    const int length = round_up(divide_up(words, count), machine_.macs);
    for (Block& b : blocks_) {
      b.other_bank = second_bank(machine_);
      b.tile_load = load_of(b.kernel_tile);
      b.tile_load.words = std::min(length, tile_words_);
      for (int at = 0; at < words; at += length) b.parts.push_back(part_of(b, at, std::min(at + length, words)));
    }
  }

  KernelPart part_of(const Block& b, int first, int end) const {
    KernelPart part{end - first, end == kernels_.kernel_words, b.strips};
    if (part.last) part.words = tile_words_ - first;
    for (ColumnWindow& column : part.strips[0].columns) {
      column.partial = !part.last;
      std::vector<Trace> traces;
      for (const Trace& trace : column.traces) {
        const int from = std::max(trace.kernels, first), to = std::min(trace.kernels + trace.words, end);
        if (from < to) traces.push_back({trace.maps + from - trace.kernels, from - first, to - from});
      }
      // Over the bottom padding nothing of the last part may count: a zero behind the bias writes back.
      if (part.last && traces.empty())
        traces.push_back({column.traces.front().maps, kernels_.kernel_words + kernels_.bias_words - first, 1});
      column.traces = std::move(traces);
    }
    return part;
  }

  // A tile that fills the buffer is loaded when the one before it is done with; a layer's only one, once.
  void filling() {
    if (result_.kernel_tiles == 1) return first_.kernels.push_back({load_of(0), 0});
    for (Block& b : blocks_) {
      b.single = true;
      b.tile_load = load_of(b.kernel_tile);
    }
  }

  void in_a_ring() {
    const auto ring = kernel_ring(kernels_, mapping_, machine_);
    const int start = start_ == 0 ? 0 : second_bank(machine_);
    attach_ring(blocks_, first_, *ring, start, load_of(0), kernels_, s_.channels, machine_);
  }

  // Tiles take turns in two banks, within the loop and from block to block.
  void in_two_banks() {
    const int banks[2] = {0, second_bank(machine_)};
    int held[2] = {-1, -1}, bank = start_;
    held[bank] = blocks_[0].kernel_tile;
    first_.kernels.push_back({load_of(held[bank]), banks[bank]});
    std::size_t run = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      Block& b = blocks_[i];
      if (b.kernel_tile != held[bank]) {
        bank ^= 1;
        if (held[bank] != b.kernel_tile) blocks_[run].next = load_of(b.kernel_tile);
        held[bank] = b.kernel_tile;
        run = i;
      }
      b.bank = banks[bank];
      b.other_bank = banks[bank ^ 1];
      if (b.tiles == 1) continue;
      b.load_tiles = b.tiles > 2 || held[bank ^ 1] != b.kernel_tile + 1;
      b.tile_load = load_of(b.kernel_tile + 1);
      const int last = b.kernel_tile + b.tiles - 1;
      bank ^= (b.tiles - 1) & 1;
      held[bank] = last;
      held[bank ^ 1] = last - 1;
      run = i;
    }
    end_.free_kernel_bank = bank ^ 1;
  }

  LayerBlocks& result_;
  std::vector<Block>& blocks_;
  FirstLoads& first_;
  LayerEnd& end_;
  const LayerShape& s_;
  const Mapping& mapping_;
  const ComputeMachine& machine_;
  const KernelShape& kernels_;
  int start_, tile_words_;
};

}  // namespace

KernelLoad kernel_load(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                       const KernelShape& kernels, int tile) {
  const int words = kernels.tile_words(mapping.kernels_per_vmac, machine.macs);
  return {shape.kernels + std::int64_t{tile} * kernels.vmacs * words,         words,         words,
          kernels.computing(shape.channels, tile * mapping.kernels_per_vmac), mapping.split, {}};
}

void attach_kernel_loads(LayerBlocks& blocks, const LayerShape& shape, const Mapping& mapping,
                         const ComputeMachine& machine, const KernelShape& kernels, int start) {
  Loads(blocks, shape, mapping, machine, kernels, start).run();
}

}  // namespace convscope::snowflake
