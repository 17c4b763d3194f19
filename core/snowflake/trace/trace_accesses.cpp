#include "core/snowflake/trace/trace_accesses.h"

#include <algorithm>

#include "core/snowflake/trace/window_words.h"

namespace convscope::snowflake {
namespace {

using artifact::AccessKind;
using artifact::StateAccess;
using simulation::LoadEntry;
using simulation::Pieces;
using simulation::VectorEntry;

class Accesses {
 public:
  Accesses(const TraceBlocks& blocks, const Machine& machine) : blocks_(blocks), machine_(machine) {}

  void add(AccessKind kind, int block, std::int64_t first, std::int64_t count) {
    found.push_back({block, kind, first, count});
  }
  void whole(int block) {
    add(AccessKind::write, block, 0, blocks_.schema.blocks[static_cast<std::size_t>(block)].size());
  }

  void pieces(int block, const Pieces& pieces, std::int64_t from) {
    for (int i = 0; i < pieces.count; ++i)
      add(AccessKind::read, block, from + pieces.first + pieces.step * i, pieces.words);
  }

  /// Words that an instruction works with as long as it runs.
  void operands(const VectorEntry& vector) {
    const std::int64_t kernel_words = 2 * std::int64_t{machine_.kernel_bank_stride()};
    for (int cu = 0; cu < machine_.cus; ++cu) {
      if ((vector.configuration.cus >> cu & 1) == 0) continue;
      if (vector.maps.words > 0) pieces(blocks_.first_maps + cu, vector.maps, std::int64_t{vector.maps_cu_step} * cu);
      for (int v = 0; v < (vector.first_vmac_only ? 1 : machine_.vmacs) && vector.kernels.words > 0; ++v)
        pieces(blocks_.first_kernels + cu, vector.kernels, kernel_words * v);
    }
  }

  /// What it leaves behind when it ends.
  void result(const VectorEntry& vector) {
    blocks_.images.visit_results(vector, machine_.cus, [this](const TraceImages::Pixel& pixel) {
      add(AccessKind::write, blocks_.first_image + static_cast<int>(pixel.image), pixel.element, 1);
    });
    if (vector.word->opcode == Opcode::vmov) return whole(vector.word->mode ? blocks_.bypass : blocks_.bias);
    whole(blocks_.accumulators);
    if (vector.word->writes_back) whole(blocks_.bypass);  // 0 again
  }

  void loaded(const LoadEntry& load) {
    if (load.target == LoadTarget::instructions) return;
    const bool maps = load.target == LoadTarget::maps;
    const std::int64_t from = maps ? 0 : 2 * std::int64_t{machine_.kernel_bank_stride()} * load.vmac;
    for (int cu = 0; cu < machine_.cus; ++cu)
      if ((load.cus >> cu & 1) != 0)
        add(AccessKind::write, (maps ? blocks_.first_maps : blocks_.first_kernels) + cu, from + load.buffer_word,
            load.words);
  }

  /// What the instruction reads, and what the one before it read, is another while they change.
  void window(const TraceLog::Vector* running, const TraceLog::Vector* before) {
    if (blocks_.window < 0 || running == before) return;
    const std::int64_t columns = blocks_.schema.blocks[static_cast<std::size_t>(blocks_.window)].columns;
    const auto count = [&](const TraceLog::Vector* vector, int cu) {
      return vector == nullptr ? 0 : WindowWords(*vector, machine_).count(cu);
    };
    for (int cu = 0; cu < machine_.cus; ++cu) {
      const std::int64_t words = std::min(columns, std::max(count(running, cu), count(before, cu)));
      if (words > 0) add(AccessKind::write, blocks_.window, cu * columns, words);
    }
  }

  std::vector<StateAccess> found;

 private:
  const TraceBlocks& blocks_;
  const Machine& machine_;
};

void add_control(std::int64_t cycle, const TraceLog& log, const simulation::DecodedCode& code,
                 const TraceBlocks& blocks, const Machine& machine, Accesses& accesses) {
  accesses.add(AccessKind::write, blocks.control, 0, 1);
  if (const TraceLog::Issue* issue = log.issue_at(cycle)) {
    for (const std::uint8_t source : simulation::sources(code[issue->instruction]))
      if (source != 0) accesses.add(AccessKind::read, blocks.registers, source, 1);
    if (issue->number != 0) accesses.add(AccessKind::write, blocks.registers, issue->number, 1);
    accesses.add(AccessKind::write, blocks.counters, 0, TraceBlocks::counter_count);
  }
  for (int ago = 0; ago <= machine.result_latency; ++ago) {
    const TraceLog::Issue* issue = log.issue_at(cycle - ago);
    if (issue == nullptr || issue->number == 0) continue;
    accesses.whole(blocks.results);
    return;
  }
}

void add_vectors(std::int64_t cycle, const TraceLog& log, const TraceBlocks& blocks, Accesses& accesses) {
  bool queue = false;
  for (const TraceLog::Vector& vector : log.vectors) {
    queue = queue || vector.entry.dispatched == cycle || vector.end == cycle + 1;
    if (vector.entry.dispatched > cycle) break;
  }
  if (queue) accesses.whole(blocks.queue);
  accesses.whole(blocks.units);
  const TraceLog::Vector* running = log.running_at(cycle);
  accesses.window(running, log.running_at(cycle - 1));
  if (running == nullptr) return;
  accesses.operands(running->entry);
  if (running->end == cycle + 1) accesses.result(running->entry);
}

void add_memory(std::int64_t cycle, const TraceLog& log, const TraceBlocks& blocks, const Machine& machine,
                Accesses& accesses) {
  for (int unit = 0; unit < machine.load_units; ++unit) {
    accesses.add(AccessKind::write, blocks.loads, unit, 1);
    bool held = false;
    for (const TraceLog::Load& load : log.of(unit)) {
      const bool ends = load.end != TraceLog::never && cycle_of(load.end) == cycle;
      held = held || load.issued == cycle || ends;
      if (ends) accesses.loaded(load.entry);
    }
    if (held) accesses.add(AccessKind::write, blocks.waiting, unit, 1);
  }
  if (log.stored_bytes_waiting(cycle) != log.stored_bytes_waiting(cycle - 1)) accesses.whole(blocks.fifo);
}

}  // namespace

std::vector<StateAccess> accesses_of(std::int64_t cycle, const TraceLog& log, const simulation::DecodedCode& code,
                                     const TraceBlocks& blocks, const Machine& machine) {
  Accesses accesses(blocks, machine);
  add_control(cycle, log, code, blocks, machine, accesses);
  add_vectors(cycle, log, blocks, accesses);
  add_memory(cycle, log, blocks, machine, accesses);
  return std::move(accesses.found);
}

}  // namespace convscope::snowflake
