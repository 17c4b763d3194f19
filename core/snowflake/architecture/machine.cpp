#include "core/snowflake/architecture/machine.h"

#include "core/arch/machine_table.h"

namespace convscope::snowflake {
namespace {

using Table = arch::MachineTable<Machine>;
using arch::ParameterValues;

constexpr double mega = 1e6, giga = 1e9;

void add_compute(Table& table) {
  table.group("Compute units")
      .integer({"cus", "CUs", "", "Compute units, each with its maps buffer."}, &Machine::cus, {1, 8})
      .integer({"vmacs", "vMACs of a CU", "", "Vector MACs, each with its kernel buffer."}, &Machine::vmacs, {1, 8})
      .power_of_two({"macs", "MACs of a vMAC", "", "Also the words of a vector."}, &Machine::macs, {4, 64})
      .real({"clock", "Clock", "MHz", "Of compute units and control pipeline."}, {&Machine::clock_hz, mega},
            {10, 2000, 1})
      .choice({"fixed_point", "Fixed point", "",
               "Fraction bits of 16-bit words: 8 or 11 everywhere, or by layer as many as its values leave."},
              &Machine::fixed_point,
              {{"q8.8", FixedPoint::q8_8}, {"q5.11", FixedPoint::q5_11}, {"by-range", FixedPoint::by_range}});
}

void add_buffers(Table& table) {
  constexpr arch::ParameterRange maps{2 * maps_region_words, 1 << 18, maps_region_words};
  constexpr arch::ParameterRange kernels{2 * kernel_region_words, 1 << 16, kernel_region_words};
  constexpr arch::ParameterRange biases{kernel_region_words, 1 << 13, kernel_region_words};
  table.group("Buffers")
      .integer({"maps_bank", "Maps bank", "words", "Of 16 bit; a CU has two banks."}, &Machine::maps_bank_words, maps)
      .integer({"kernel_bank", "Kernel bank", "words", "Of 16 bit; a vMAC has two banks."}, &Machine::kernel_bank_words,
               kernels)
      .integer({"bias", "Bias words", "words", "That a kernel bank has besides, for biases behind the kernels."},
               &Machine::bias_words, biases);
}

void add_control(Table& table) {
  table.group("Control pipeline")
      .integer({"instruction_bank", "Instruction bank", "instructions", "Of 32 bit; the cache has two banks."},
               &Machine::instruction_bank, {64, 2048})
      .integer({"queue", "Vector queue", "", "Vector instructions that wait or run."}, &Machine::queue, {1, 64})
      .integer({"delay_slots", "Delay slots", "", "Instructions behind a branch that run before it takes effect."},
               &Machine::delay_slots, {0, 8})
      .integer({"result_latency", "Result latency", "cycles",
                "From the issue of a scalar instruction until its result can be read."},
               &Machine::result_latency, {1, 16})
      .integer({"vector_start", "Vector start", "cycles",
                "From dispatch of a vector instruction to its first vector if the queue is empty."},
               &Machine::vector_start, {0, 256})
      .integer({"write_back", "Write-back", "cycles", "Added to a vector instruction that writes its results."},
               &Machine::write_back, {0, 64})
      .integer({"gather", "Gather", "cycles", "Least time between two write-backs of cooperative MACs."},
               &Machine::gather, {0, 256});
}

void add_loads(Table& table) {
  table.group("Load units")
      .integer({"load_units", "Load units", "", "Each streams one LD at a time, in order."}, &Machine::load_units,
               {1, 4})
      .integer({"loads_per_unit", "LDs of a unit", "", "That a unit holds, the one that streams included."},
               &Machine::loads_per_unit, {1, 64})
      .integer({"load_latency", "Load latency", "cycles", "To the first data; overlaps the stream before."},
               &Machine::load_latency, {0, 4096})
      .integer({"load_gap", "Load gap", "cycles", "A unit's pause between two streams."}, &Machine::load_gap, {0, 4096})
      .real({"unit_bandwidth", "Bandwidth of a unit", "GB/s", "Of one load unit, and of the store port."},
            {&Machine::unit_bandwidth, giga}, {0.1, 100, 0});
}

void add_memory(Table& table) {
  table.group("Memory")
      .real({"bandwidth", "DRAM bandwidth", "GB/s", "That all units and the store port share."},
            {&Machine::bandwidth, giga}, {0.1, 100, 0})
      .real({"efficiency", "Memory efficiency", "", "Part of the bandwidth that streams reach."}, &Machine::efficiency,
            {0.05, 1, 0})
      .integer({"load_cost", "Cost of a load", "byte", "Of bandwidth that each LD takes besides its own bytes."},
               &Machine::load_cost_bytes, {0, 1 << 16})
      .integer({"store_fifo", "Store FIFO", "byte", "Results that wait for the store port."},
               &Machine::store_fifo_bytes, {64, 1 << 20, 64});
}

void add_constraints(Table& table) {
  table.constraint({{"store_fifo", "cus", "vmacs", "macs"},
                    "store_fifo must hold what one instruction writes: cus x vmacs x macs words of 2 byte",
                    [](const ParameterValues& v) {
                      return v.get("store_fifo") >= word_bytes * v.get("cus") * v.get("vmacs") * v.get("macs");
                    }});
}

Table make_table() {
  Table table("snowflake", "Snowflake");
  for (const auto add : {add_compute, add_buffers, add_control, add_loads, add_memory}) add(table);
  add_constraints(table);
  return table;
}

/// A constant.
const Table& table() {
  static const Table made = make_table();
  return made;
}

}  // namespace

std::shared_ptr<const arch::MachineDescription> machine_description() {
  return table().description();
}

Machine machine_from(const ParameterValues& values) {
  return table().machine(values);
}

ParameterValues parameter_values(const Machine& machine) {
  return table().values(machine);
}

}  // namespace convscope::snowflake
