#include "core/nmp/trace/trace_blocks.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

using artifact::StateFormat;
using artifact::StateKind;

constexpr std::int64_t region_columns = 64;                        // bytes in a row
constexpr std::int64_t most_region_bytes = std::int64_t{1} << 20;  // that are shown
constexpr int most_maps = 4;                                       // of a layer's input, or output
constexpr std::size_t most_images = 64;

}  // namespace

TraceBlocks::TraceBlocks(const Program& program) {
  add_units(program);
  add_cores(program);
  add_memories(program);
  add_dram(program);
  add_images(program);
}

void TraceBlocks::add_units(const Program& program) {
  const Machine& m = program.machine;
  for (const char* name : {"TLE {} TLT {}", "MACs {}.{}"})
    for (int tle = 0; tle < m.tles; ++tle)
      for (int tlt = 0; tlt < m.tlts; ++tlt) schema.units.push_back(fmt::format(fmt::runtime(name), tle, tlt));
  first_mac_unit = program.tlts();
  first_dma = 2 * program.tlts();
  for (int tle = 0; tle < m.tles; ++tle) schema.units.push_back(fmt::format("DMA of TLE {}", tle));
  dram_unit = static_cast<int>(schema.units.size());
  schema.units.emplace_back("DRAM");
  if (!m.ring.on) return;
  ring_unit = dram_unit + 1;
  schema.units.emplace_back("ring");
}

void TraceBlocks::add_cores(const Program& program) {
  const Machine& m = program.machine;
  const std::int64_t tlts = program.tlts();
  counters = add({.name = "program counters",
                  .kind = StateKind::counter,
                  .rows = m.tles,
                  .columns = m.tlts,
                  .help = "byte of the instruction that comes next, a row each TLE"});
  semaphores = add({.name = "semaphores",
                    .kind = StateKind::counter,
                    .rows = tlts,
                    .columns = nmp::semaphores,
                    .help = "posts that nobody has waited for, a row each TLT; programs of ours use 0 for IN, 1 for W, "
                            "2 for partial sums, 3 for MACs, 4 for OUT, 5 for MB0 being free"});
  dma_queues = add({.name = "DMA queues",
                    .kind = StateKind::queue,
                    .rows = m.tles,
                    .columns = dma_queue,
                    .help = "transfers by the byte of their instruction, a row each TLE; the first one is at the DRAM "
                            "or on its way there"});
  mac_queues = add({.name = "MAC queues",
                    .kind = StateKind::queue,
                    .rows = tlts,
                    .columns = mac_queue,
                    .help = "computations by the byte of their instruction, a row each TLT; the first one runs"});
  registers = add({.name = "registers", .rows = tlts, .columns = 32, .bits = 32, .help = "x0 to x31, a row each TLT"});
  configuration = add({.name = "configuration",
                       .rows = tlts,
                       .columns = configuration_registers,
                       .bits = 32,
                       .format = StateFormat::hexadecimal,
                       .help = "C0 to C63, a row each TLT"});
  data_rams = add({.name = "data RAMs",
                   .kind = StateKind::memory,
                   .rows = tlts,
                   .columns = data_ram_bytes / 4,
                   .bits = 32,
                   .help = "words, a row each TLT"});
}

void TraceBlocks::add_memories(const Program& program) {
  const Machine& m = program.machine;
  first_memory = static_cast<int>(schema.blocks.size());
  for (int tle = 0; tle < m.tles; ++tle)
    for (const Memory which : {Memory::input, Memory::weights, Memory::output})
      add({.name = fmt::format("{} of TLE {}", name_of(which), tle),
           .kind = StateKind::memory,
           .rows = m.tlts,
           .columns = memory_bytes(m, which),
           .bits = 8,
           .format = StateFormat::hexadecimal,
           .help = "bytes, a row each TLT"});
  first_owners = static_cast<int>(schema.blocks.size());
  for (int tle = 0; tle < m.tles; ++tle)
    for (const Memory which : {Memory::input, Memory::weights, Memory::output})
      add({.name = fmt::format("who wrote {} of TLE {}", name_of(which), tle),
           .kind = StateKind::unit,
           .rows = m.tlts,
           .format = StateFormat::text,
           .help = "bytes, whose instruction wrote them last, and when; a row each TLT"});
}

void TraceBlocks::add_dram(const Program& program) {
  if (program.level == CostLevel::walk) {
    const dram::Organization organization = dram_of(program.machine.dram).organization;
    open_rows = add({.name = "open rows of the DRAM",
                     .rows = organization.channels,
                     .columns = std::int64_t{organization.ranks} * organization.banks,
                     .help = "by bank, a row each channel, as the transfer that began last leaves them"});
  }
  first_region = static_cast<int>(schema.blocks.size());
  for (const Region& region : program.regions) {
    regions.push_back({region.first_byte, std::min(region.bytes, most_region_bytes)});
    if (regions.back().bytes == 0) {
      regions.pop_back();
      continue;
    }
    add({.name = "DRAM: " + region.name,
         .kind = StateKind::memory,
         .rows = divide_up(regions.back().bytes, region_columns),
         .columns = region_columns,
         .bits = 8,
         .format = StateFormat::hexadecimal,
         .help = fmt::format("bytes from {} on{}", region.first_byte,
                             region.bytes > most_region_bytes ? ", the first of them" : "")});
  }
}

void TraceBlocks::add_images(const Program& program) {
  first_image = static_cast<int>(schema.blocks.size());
  for (const ProgramLayer& layer : program.layers) {
    add_image(program, layer, layer.in, "input");
    add_image(program, layer, layer.out, "output");
  }
}

void TraceBlocks::add_image(const Program& program, const ProgramLayer& layer, const MapsPlace& place,
                            const char* what) {
  const bool stored = place.region >= 0 && is_written(program.regions[static_cast<std::size_t>(place.region)].kind);
  for (int map = 0; map < std::min(place.maps, most_maps) && images.size() < most_images; ++map) {
    std::string name = fmt::format("{} of {}, map {}", what, layer.name, map);
    if (schema.find(name) >= 0) continue;
    images.push_back({place, map, layer.element_bytes, stored});
    add({.name = std::move(name),
         .kind = StateKind::image,
         .rows = place.rows,
         .columns = place.columns,
         .bits = 8 * layer.element_bytes,
         .output = stored});
  }
}

int TraceBlocks::add(artifact::StateBlock block) {
  schema.blocks.push_back(std::move(block));
  return static_cast<int>(schema.blocks.size()) - 1;
}

}  // namespace convscope::nmp
