#include "core/nmp/trace/trace_accesses.h"

#include <algorithm>

namespace convscope::nmp {
namespace {

using artifact::AccessKind;

class Accesses {
 public:
  Accesses(TraceRun& run, const TraceBlocks& blocks, const Program& program)
      : run_(run), blocks_(blocks), program_(program), cycle_(run.at() - 1), events_(run.events(cycle_)) {}

  std::vector<artifact::StateAccess> all() {
    for (int tlt = 0; tlt < program_.tlts(); ++tlt)
      if (run_.core(tlt).stepped_in == cycle_) plain(tlt);
    for (const TraceRun::Act& act : events_.acts) custom(act);
    for (const TraceRun::Count& count : events_.counts) write(blocks_.semaphores, count.tlt, count.semaphore, 1);
    for (const TransferRun& given : events_.given) write(blocks_.dma_queues, given.tle, 0, dma_queue);
    for (const ConvolutionRun& given : events_.computations_given)
      write(blocks_.mac_queues, tlt_of(given), 0, mac_queue);
    for (const TransferRun& ended : events_.ended) transfer(ended);
    for (const ConvolutionRun& computed : events_.computed) compute(computed);
    open_rows();
    return std::move(all_);
  }

 private:
  int tlt_of(const UnitRun& run) const { return static_cast<int>(program_.tlt(run.tle, run.tlt)); }

  void add(AccessKind kind, int block, std::int64_t row, std::int64_t first, std::int64_t count) {
    if (count > 0) all_.push_back({block, kind, row * blocks_.columns(block) + first, count});
  }
  void write(int block, std::int64_t row, std::int64_t first, std::int64_t count) {
    add(AccessKind::write, block, row, first, count);
  }
  void read(int block, std::int64_t row, std::int64_t first, std::int64_t count) {
    add(AccessKind::read, block, row, first, count);
  }
  void read_register(int tlt, int number) {
    if (number != 0) read(blocks_.registers, tlt, number, 1);
  }
  // Rows of the counters are TLEs.
  void count(int tlt) { all_.push_back({blocks_.counters, AccessKind::write, tlt, 1}); }

  void plain(int tlt) {
    const TraceRun::FollowedCore& core = run_.core(tlt);
    const Instruction& i = *run_.code()[static_cast<std::size_t>(core.stepped)];
    const Format format = format_of(i.operation);
    const bool two = format == Format::r || format == Format::s || format == Format::b;
    if (two || format == Format::i || format == Format::shift) read_register(tlt, i.rs1);
    if (two) read_register(tlt, i.rs2);
    count(tlt);
    if (i.operation == Operation::cfg) return write(blocks_.configuration, tlt, 2 * i.funct7, 2);
    if (i.operation >= Operation::lb && i.operation <= Operation::lhu)
      read(blocks_.data_rams, tlt, core.stepped_byte / 4, 1);
    if (format == Format::s) return write(blocks_.data_rams, tlt, core.stepped_byte / 4, 1);
    if (format != Format::b && i.rd != 0) write(blocks_.registers, tlt, i.rd, 1);
  }

  void custom(const TraceRun::Act& act) {
    const Instruction& i = *run_.code()[static_cast<std::size_t>(act.instruction)];
    read_register(act.tlt, i.rs1);
    read_register(act.tlt, i.rs2);
    if (i.operation == Operation::wait) read(blocks_.semaphores, act.tlt, i.rd, 1);
    if (is_computation(i.operation)) read(blocks_.configuration, act.tlt, registers::in_size, 17);
    if (i.operation >= Operation::load && i.operation <= Operation::fetch)
      read(blocks_.configuration, act.tlt, 8 * transfer_function(i.funct7).shape,
           transfer_function(i.funct7).ring ? 6 : 5);
    count(act.tlt);
  }

  void transfer(const TransferRun& run) {
    write(blocks_.dma_queues, run.tle, 0, dma_queue);
    if (run.local.memory == Memory::data) {
      write(blocks_.data_rams, tlt_of(run), run.local.byte / 4, run.shape.size() / 4);
    } else {
      const AccessKind local = run.store ? AccessKind::read : AccessKind::write;
      for (int tlt = 0; tlt < program_.tlts(); ++tlt) {
        const int tle = tlt / program_.machine.tlts, other = tlt % program_.machine.tlts;
        if (!run.receives(tle, other)) continue;
        add(local, blocks_.memory(tle, run.local.memory), other, run.local.byte, run.shape.size());
        if (!run.store) write(blocks_.owners(tle, run.local.memory), other, 0, 1);
      }
    }
    const AccessKind there = run.store ? AccessKind::write : AccessKind::read;
    visit_runs(run, [&](std::int64_t first, std::int64_t bytes) { dram(there, first, bytes); });
  }

  void dram(AccessKind kind, std::int64_t first, std::int64_t bytes) {
    const std::int64_t end = first + bytes;
    for (std::size_t i = 0; i < blocks_.regions.size(); ++i) {
      const TraceBlocks::ShownRegion& region = blocks_.regions[i];
      const std::int64_t from = std::max(first, region.first_byte);
      const std::int64_t to = std::min(end, region.first_byte + region.bytes);
      if (from < to)
        all_.push_back({blocks_.first_region + static_cast<int>(i), kind, from - region.first_byte, to - from});
    }
    for (std::size_t i = 0; i < blocks_.images.size(); ++i) image(kind, static_cast<int>(i), first, end);
  }

  /// Pixels of an image that lie in bytes [first, end) of DRAM.
  void image(AccessKind kind, int number, std::int64_t first, std::int64_t end) {
    const TraceBlocks::Image& image = blocks_.images[static_cast<std::size_t>(number)];
    const MapsPlace& place = image.place;
    const std::int64_t start = image.byte_of(0), bytes = std::int64_t{place.columns} * image.element_bytes;
    if (end <= start || first >= start + (place.rows - 1) * place.row_pitch + bytes) return;
    const std::int64_t pitch = std::max<std::int64_t>(place.row_pitch, 1);
    const std::int64_t top = std::max<std::int64_t>(0, (first - start) / pitch);
    for (std::int64_t row = top; row < place.rows && start + row * pitch < end; ++row) {
      const std::int64_t from = std::max<std::int64_t>(first - start - row * pitch, 0) / image.element_bytes;
      const std::int64_t to = std::min(end - start - row * pitch, bytes) / image.element_bytes;
      if (from < to) add(kind, blocks_.first_image + number, row, from, to - from);
    }
  }

  void compute(const ConvolutionRun& run) {
    const ConvolutionSettings& s = run.settings;
    const int tlt = tlt_of(run), out = blocks_.memory(run.tle, Memory::output);
    write(blocks_.mac_queues, tlt, 0, mac_queue);
    read(blocks_.memory(run.tle, Memory::input), run.tlt, s.in_address & 0x0fffffffU, s.in_bytes());
    read(blocks_.memory(run.tle, Memory::weights), run.tlt, run.weights.byte, s.weight_bytes());
    read(out, run.tlt, run.out.byte, s.bytes_read());
    write(out, run.tlt, run.out.byte, s.bytes_written());
    write(blocks_.owners(run.tle, Memory::output), run.tlt, 0, 1);
  }

  void open_rows() {
    if (events_.open_rows.empty()) return;
    const std::vector<int> now = run_.open_rows();
    for (std::size_t bank = 0; bank < now.size(); ++bank)
      if (now[bank] != events_.open_rows[bank]) write(blocks_.open_rows, 0, static_cast<std::int64_t>(bank), 1);
  }

  TraceRun& run_;
  const TraceBlocks& blocks_;
  const Program& program_;
  const std::int64_t cycle_;
  const TraceRun::Events& events_;
  std::vector<artifact::StateAccess> all_;
};

}  // namespace

std::vector<artifact::StateAccess> accesses_of(TraceRun& run, const TraceBlocks& blocks, const Program& program) {
  return Accesses(run, blocks, program).all();
}

}  // namespace convscope::nmp
