#include "core/snowflake/plan/kernel_ring.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

// Words of kernels of a run of blocks that compute with the same one.
struct Run {
  std::size_t first = 0, last = 0;  ///< blocks
  int slot = 0;
  int at = 0;                  ///< word of the ring
  int read = 0, read_end = 0;  ///< words of the kernel that its windows read: those over padding leave rows out
};

class RingWriter {
 public:
  RingWriter(std::vector<Block>& blocks, const KernelRing& ring, const KernelLoad& kernels, const KernelShape& shape,
             int channels, const ComputeMachine& machine)
      : blocks_(blocks), ring_(ring), kernels_(kernels), shape_(shape), channels_(channels), machine_(machine) {}

  void run(FirstLoads& first, int start) {
    find_runs(start);
    const int biases = ring_.slots * shape_.kernel_words;
    first.kernels.push_back({part(biases, kernels_.words - biases), ring_.bias_at});
    // In the same parts as the others: the first outputs don't need its end.
    for (const PlacedKernels& piece : pieces(runs_[0], 0, early())) first.kernels.push_back(piece);
    for (const PlacedKernels& piece : pieces(runs_[0], early(), shape_.kernel_words)) first.kernels.push_back(piece);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      for (std::size_t b = runs_[i].first; b <= runs_[i].last; ++b) place(blocks_[b], runs_[i].at);
      if (i + 1 < runs_.size()) load_next(runs_[i], runs_[i + 1]);
    }
  }

 private:
  // Words of a kernel that are loaded while the one before is computed with.
  int early() const { return std::min(shape_.kernel_words, ring_.words - ring_.kernel_words); }

  void find_runs(int start) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const int slot = blocks_[i].first_slot;
      if (!runs_.empty() && runs_.back().slot == slot)
        runs_.back().last = i;
      else
        runs_.push_back({i, i, slot, runs_.empty() ? start : (runs_.back().at + ring_.kernel_words) % ring_.words,
                         shape_.kernel_words, 0});
      find_read(runs_.back(), blocks_[i]);
    }
  }

  void find_read(Run& run, const Block& block) const {
    for (const Strip& strip : block.strips)
      for (const ColumnWindow& column : strip.columns)
        for (const Trace& trace : column.traces) {
          run.read = std::min(run.read, trace.kernels);
          run.read_end = std::max(run.read_end, trace.kernels + trace.words * scale(block));
        }
  }

  KernelLoad part(int first, int words) const {
    KernelLoad load = kernels_;
    load.dram += first;
    load.words = words;
    return load;
  }

  // Words [from, to) of a run's kernel, as far as they are read: what nobody waits for could still be under way when
  // another unit loads over it. Two loads where the ring begins anew.
  std::vector<PlacedKernels> pieces(const Run& run, int from, int to) const {
    std::vector<PlacedKernels> list;
    from = std::max(from, run.read);
    to = std::min(to, run.read_end);
    while (from < to) {
      const int at = (run.at + from) % ring_.words, words = std::min(to - from, ring_.words - at);
      list.push_back({part(run.slot * shape_.kernel_words + from, words), at});
      list.back().load.vmacs = shape_.computing(channels_, run.slot);
      from += words;
    }
    return list;
  }

  void load_next(const Run& run, const Run& next) {
    blocks_[run.first].ring_loads = pieces(next, 0, early());
    Block& last = blocks_[run.last];
    last.late_loads = pieces(next, early(), shape_.kernel_words);
    if (last.late_loads.empty()) return;
    const int freed = round_up(shape_.kernel_words - early(), kernel_region_words);
    last.late_fillers = std::max(0, machine_.queue - vectors_behind(last, run.at, freed));
  }

  void place(Block& block, int at) const {
    block.bank = block.other_bank = 0;
    block.bias_at = ring_.bias_at + block.first_slot * block.bias_words;
    block.kernel_words = 0;
    std::reverse(block.strips.begin(), block.strips.end());
    for (Strip& strip : block.strips)
      for (ColumnWindow& column : strip.columns) column.traces = placed(column.traces, at, scale(block));
  }

  int scale(const Block& block) const { return block.kind == VectorKind::independent ? machine_.macs : 1; }

  // Traces that go round the ring's end are two.
  std::vector<Trace> placed(const std::vector<Trace>& traces, int at, int scale) const {
    std::vector<Trace> list;
    for (Trace trace : traces) {
      trace.kernels = (trace.kernels + at) % ring_.words;
      const int room = (ring_.words - trace.kernels) / scale;
      if (trace.words > room) {
        list.push_back({trace.maps, trace.kernels, room});
        trace = {trace.maps + room, 0, trace.words - room};
      }
      list.push_back(trace);
    }
    return list;
  }

  // Vector instructions behind the last one that reads any of the regions of the ring's words [at, at + words).
  int vectors_behind(const Block& block, int at, int words) const {
    const auto reads = [&](const Trace& trace) {
      const int first = trace.kernels / kernel_region_words * kernel_region_words;
      const int end = trace.kernels + trace.words * scale(block);
      const auto overlaps = [&](int from, int to) { return first < to && from < end; };
      return overlaps(at, std::min(at + words, ring_.words)) || overlaps(0, at + words - ring_.words);
    };
    int count = 0;
    for (auto strip = block.strips.rbegin(); strip != block.strips.rend(); ++strip)
      for (int row = 0; row < strip->rows; ++row)
        for (auto column = strip->columns.rbegin(); column != strip->columns.rend(); ++column) {
          const int moves = block.bypass_select >= 0 ? 1 : 0;
          const auto last = std::find_if(column->traces.rbegin(), column->traces.rend(), reads);
          const auto behind = static_cast<int>(last - column->traces.rbegin());
          if (last != column->traces.rend()) return count + behind + (behind > 0 ? moves : 0);
          count += column->outputs * (behind + moves);
          if (count >= machine_.queue) return count;
        }
    return 0;  // the block before may still read them
  }

  std::vector<Block>& blocks_;
  const KernelRing& ring_;
  const KernelLoad& kernels_;
  const KernelShape& shape_;
  int channels_;
  const ComputeMachine& machine_;
  std::vector<Run> runs_;
};

}  // namespace

std::optional<KernelRing> kernel_ring(const KernelShape& kernels, const Mapping& mapping,
                                      const ComputeMachine& machine) {
  KernelRing ring;
  ring.slots = mapping.kernels_per_vmac;
  const int biases = round_up(ring.slots * kernels.bias_words, machine.macs);
  ring.bias_at = (2 * machine.kernel_bank_stride() - biases) / kernel_region_words * kernel_region_words;
  ring.words = ring.bias_at;
  ring.kernel_words = round_up(kernels.kernel_words, kernel_region_words);
  if (ring.words < ring.kernel_words) return std::nullopt;
  return ring;
}

void attach_ring(std::vector<Block>& blocks, FirstLoads& first, const KernelRing& ring, int start,
                 const KernelLoad& kernels, const KernelShape& shape, int channels, const ComputeMachine& machine) {
  RingWriter(blocks, ring, kernels, shape, channels, machine).run(first, start < ring.words ? start : 0);
}

}  // namespace convscope::snowflake
