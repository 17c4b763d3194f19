#include "core/nmp/trace/trace_elements.h"

#include <fmt/format.h>

#include "core/nmp/host/reference_output.h"

namespace convscope::nmp {
namespace {

constexpr std::size_t named_stretches = 8;

template <typename Queue, typename Position>
std::int64_t queued(const Queue& queue, std::int64_t place, Position position) {
  if (place >= static_cast<std::int64_t>(queue.size())) return artifact::no_value;
  return 4 * std::int64_t{position(queue[static_cast<std::size_t>(place)])};
}

std::int64_t image_element(TraceRun& run, const TraceBlocks::Image& image, std::int64_t index) {
  const std::int64_t byte = image.byte_of(index);
  if (image.stored && run.stored()[static_cast<std::size_t>(byte)] == 0) return artifact::no_value;
  return read_element(run.dram(), byte, image.element_bytes);
}

std::int64_t memory_element(const TraceRun& run, const TraceBlocks& blocks, const Program& program, int block,
                            std::int64_t index) {
  const int number = block - blocks.first_memory, tle = number / TraceRun::buffers;
  const std::int64_t columns = blocks.columns(block);
  const std::size_t tlt = program.tlt(tle, static_cast<int>(index / columns));
  const auto memory = static_cast<std::size_t>(number % TraceRun::buffers + 1);
  return run.run().tlts()[tlt].memories[memory][static_cast<std::size_t>(index % columns)];
}

std::int64_t region_element(TraceRun& run, const TraceBlocks::ShownRegion& region, std::int64_t index) {
  if (index >= region.bytes) return artifact::no_value;
  return run.dram()[static_cast<std::size_t>(region.first_byte + index)];
}

std::int64_t core_element(const Core& core, const TraceBlocks& blocks, int block, int column) {
  if (block == blocks.counters) return 4 * std::int64_t{core.position()};
  if (block == blocks.registers) return static_cast<std::int32_t>(core.x(column));
  if (block == blocks.configuration) return core.configuration()[static_cast<std::size_t>(column)];
  return static_cast<std::int32_t>(core.data_word(static_cast<std::uint32_t>(4 * column)).value_or(0));
}

}  // namespace

std::int64_t trace_element(TraceRun& run, const TraceBlocks& blocks, const Program& program, int block,
                           std::int64_t index) {
  if (block >= blocks.first_image)
    return image_element(run, blocks.images[static_cast<std::size_t>(block - blocks.first_image)], index);
  if (block >= blocks.first_region)
    return region_element(run, blocks.regions[static_cast<std::size_t>(block - blocks.first_region)], index);
  if (block == blocks.open_rows) {
    const int row = run.open_rows()[static_cast<std::size_t>(index)];
    return row < 0 ? artifact::no_value : row;
  }
  if (block >= blocks.first_memory) return memory_element(run, blocks, program, block, index);
  const std::int64_t columns = block == blocks.counters ? 1 : blocks.columns(block);
  const auto row = static_cast<std::size_t>(index / columns);
  const std::int64_t column = index % columns;
  if (block == blocks.dma_queues)
    return queued(run.run().tles()[row].transfers, column, [](const TransferRun& t) { return t.instruction; });
  if (block == blocks.mac_queues)
    return queued(run.run().tlts()[row].convolutions, column,
                  [](const simulation::GivenConvolution& given) { return given.run.instruction; });
  if (block == blocks.semaphores) return run.run().tlts()[row].posts[static_cast<std::size_t>(column)];
  return core_element(run.core(static_cast<int>(row)).core, blocks, block, static_cast<int>(column));
}

std::string trace_text_element(const TraceRun& run, const TraceBlocks& blocks, const Program& program, int block,
                               std::int64_t index) {
  const int number = block - blocks.first_owners, tle = number / TraceRun::buffers;
  const int tlt = static_cast<int>(program.tlt(tle, static_cast<int>(index)));
  const ByteOwners& owners = run.owners(tlt)[static_cast<std::size_t>(number % TraceRun::buffers)];
  std::string text;
  std::size_t count = 0;
  for (const auto& [first, stretch] : owners.stretches()) {
    if (++count > named_stretches) continue;
    const Writer& w = stretch.writer;
    text += fmt::format("{}{} to {}: TLE {} TLT {}, instruction {}, cycle {}", text.empty() ? "" : "; ", first,
                        stretch.end - 1, w.tlt / program.machine.tlts, w.tlt % program.machine.tlts, 4 * w.instruction,
                        w.cycle);
  }
  if (count > named_stretches) text += fmt::format("; and {} stretches more", count - named_stretches);
  return text;
}

}  // namespace convscope::nmp
