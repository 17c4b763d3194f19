#include "core/snowflake/trace/trace_blocks.h"

#include <fmt/format.h>

namespace convscope::snowflake {

using artifact::StateFormat;
using artifact::StateKind;

TraceBlocks::TraceBlocks(const Machine& m) {
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
}

int TraceBlocks::add(artifact::StateBlock block) {
  schema.blocks.push_back(std::move(block));
  return static_cast<int>(schema.blocks.size()) - 1;
}

}  // namespace convscope::snowflake
