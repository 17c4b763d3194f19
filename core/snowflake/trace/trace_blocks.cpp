#include "core/snowflake/trace/trace_blocks.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake {

using artifact::StateFormat;
using artifact::StateKind;

namespace {

constexpr std::int64_t most_words = 4096;  // of an instruction that are shown

/// The most words of the map buffers that one vector instruction of a CU reads.
std::int64_t words_read(const Program& program) {
  const simulation::DecodedCode code(program);
  std::int64_t most = std::int64_t{program.machine.vmacs} * program.machine.macs;
  for (int i = 0; i < static_cast<int>(program.code.size()); ++i)
    if (simulation::is_vector(code[i].opcode)) most = std::max<std::int64_t>(most, code[i].length);
  return std::min(most, most_words);
}

}  // namespace

TraceBlocks::TraceBlocks(const Program& program) : images(program) {
  const Machine& m = program.machine;
  schema.units = {"control", "CUs"};
  for (int unit = 0; unit < m.load_units; ++unit) schema.units.push_back(fmt::format("load unit {}", unit));
  store_unit = static_cast<int>(schema.units.size());
  schema.units.emplace_back("store");

  control = add({.name = "control pipeline", .kind = StateKind::unit, .format = StateFormat::text});
  counters = add({.name = "counters",
                  .kind = StateKind::counter,
                  .columns = counter_count,
                  .help = "address, layer and tile of the instruction issued last"});
  results = add({.name = "results",
                 .kind = StateKind::queue,
                 .columns = m.result_latency,
                 .help = "registers that can be read in 1, 2, … cycles"});
  registers = add({.name = "registers", .rows = 4, .columns = snowflake::registers / 4, .bits = 32});
  queue = add({.name = "vector queue",
               .kind = StateKind::queue,
               .rows = m.queue,
               .format = StateFormat::text,
               .help = "vector instructions, the running one first"});
  units = add({.name = "compute units", .kind = StateKind::unit, .format = StateFormat::text});
  loads = add({.name = "load units",
               .kind = StateKind::unit,
               .rows = m.load_units,
               .format = StateFormat::text,
               .help = "what each streams"});
  waiting = add({.name = "loads held",
                 .kind = StateKind::counter,
                 .columns = m.load_units,
                 .help = "by load unit, with the one that streams"});
  fifo = add({.name = "store FIFO", .kind = StateKind::counter, .help = "bytes that wait to be stored"});
  const std::int64_t vmacs = std::int64_t{m.cus} * m.vmacs;
  accumulators = add({.name = "accumulators", .rows = vmacs, .columns = m.macs, .bits = 48, .help = "a row each vMAC"});
  bias = add({.name = "biases", .rows = vmacs, .columns = m.macs, .bits = 16, .help = "a row each vMAC"});
  bypass = add({.name = "bypasses", .rows = vmacs, .columns = m.macs, .bits = 16, .help = "a row each vMAC"});
  first_maps = static_cast<int>(schema.blocks.size());
  for (int cu = 0; cu < m.cus; ++cu)
    add({.name = fmt::format("maps of CU {}", cu),
         .kind = StateKind::memory,
         .rows = 2,
         .columns = m.maps_bank_words,
         .bits = 16,
         .help = "two banks"});
  first_kernels = static_cast<int>(schema.blocks.size());
  for (int cu = 0; cu < m.cus; ++cu)
    add({.name = fmt::format("kernels of CU {}", cu),
         .kind = StateKind::memory,
         .rows = std::int64_t{2} * m.vmacs,
         .columns = m.kernel_bank_stride(),
         .bits = 16,
         .help = "two banks of each vMAC"});
  add_images(program);
}

void TraceBlocks::add_images(const Program& program) {
  if (images.images().empty()) return;
  window = add({.name = "window",
                .kind = StateKind::window,
                .rows = program.machine.cus,
                .columns = words_read(program),
                .bits = 16,
                .help = "words of the maps that the running vector instruction reads, a row each CU; a lane has those "
                        "that it takes in this cycle, lane 0 what all take together"});
  first_image = static_cast<int>(schema.blocks.size());
  for (const TraceImages::Image& image : images.images()) {
    const TraceImages::Place& place = images.places()[static_cast<std::size_t>(image.place)];
    const ProgramLayer& layer = program.layers[static_cast<std::size_t>(place.layer)];
    std::string name =
        fmt::format("{} of {}, channel {}", place.output ? "output" : "input", layer.name, image.channel);
    if (schema.find(name) >= 0) name += fmt::format(" (layer {}, word {})", place.layer, place.first_word);
    add({.name = std::move(name),
         .kind = StateKind::image,
         .rows = place.maps.height,
         .columns = place.maps.width,
         .bits = 16,
         .format = StateFormat::fixed_point,
         .fraction = place.output ? layer.out_fraction : layer.in_fraction,
         .output = place.output});
  }
}

int TraceBlocks::add(artifact::StateBlock block) {
  schema.blocks.push_back(std::move(block));
  return static_cast<int>(schema.blocks.size()) - 1;
}

}  // namespace convscope::snowflake
