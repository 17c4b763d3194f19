#include "core/cpu/architecture/machine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/arch/machine_table.h"
#include "core/cpu/architecture/units.h"

namespace convscope::cpu {
namespace {

using Table = arch::MachineTable<Machine>;
using arch::ParameterValues;

constexpr int float_bits = 32;

std::vector<std::pair<const char*, flyte::Storage>> storages() {
  constexpr auto truncated = flyte::Rounding::truncated;
  return {{"float32", {}},
          {"flyte-24", {3}},
          {"flyte-16", {2}},
          {"flyte-8", {1}},
          {"flyte-24 truncated", {3, truncated}},
          {"flyte-16 truncated", {2, truncated}},
          {"flyte-8 truncated", {1, truncated}}};
}

void add_code(Table& table) {
  table.group("Program")
      .choice({"family", "Instruction set", "", "What code is generated for."}, &Machine::family,
              {{"scalar", Family::scalar},
               {"avx2", Family::avx2},
               {"avx512", Family::avx512},
               {"avx512vbmi", Family::avx512vbmi},
               {"neon32", Family::neon32},
               {"neon64", Family::neon64}})
      .integer({"threads", "Threads", "", "That a program uses."}, &Machine::threads, {1, 64})
      .integer({"ranked", "Paths ranked", "", "Drawn from the decision tree for each layer and ranked by estimate."},
               &Machine::ranked, {1, 20000})
      .integer({"seed", "Seed", "", "Of the drawing of paths."}, &Machine::seed, {0, 1 << 20})
      .choice({"weights", "Weights stored as", "", "Flyte: the upper bytes of a number, which is computed with whole."},
              &Machine::weights, storages())
      .choice({"activations", "Images and outputs stored as", "", "Flyte: the upper bytes of a number."},
              &Machine::activations, storages())
      .choice({"methods", "Methods", "", "That are chosen from: direct convolution, Winograd's, or all."},
              &Machine::methods, {{"all", Methods::all}, {"direct", Methods::direct}, {"winograd", Methods::winograd}});
}

void add_core(Table& table) {
  table.group("Core")
      .integer({"registers", "Vector registers", "", "What a program wants beyond is spilled to the stack."},
               &Machine::registers, {4, 64})
      .power_of_two({"unit_bits", "Width of a unit", "bit", "Of FMA units and load ports; wider vectors take several."},
                    &Machine::unit_bits, {32, 512})
      .real({"fma", "FMAs", "/cycle", "Fused multiply-adds of a unit's width that start in a cycle."}, &Machine::fmas,
            {0.25, 8, 0})
      .integer({"fma_slots", "Slots of an FMA", "", "2 where product and sum are two instructions."},
               &Machine::fma_slots, {1, 2})
      .integer({"latency", "FMA latency", "cycles", "Until the next FMA on the same sum may start."}, &Machine::latency,
               {1, 32})
      .real({"loads", "Loads", "/cycle", "Of a unit's width."}, &Machine::loads, {0.25, 8, 0})
      .integer({"issue", "Issue width", "/cycle", "Instructions of any kind that start in a cycle."}, &Machine::issue,
               {1, 16})
      .real({"clock", "Clock", "MHz", "Under vector load."}, {&Machine::clock_hz, mega}, {10, 8000, 0})
      .integer({"cores", "Cores", "", "Threads beyond them gain nothing."}, &Machine::cores, {1, 256});
}

void add_memory(Table& table) {
  constexpr arch::ParameterRange bandwidth{0.1, 10000, 0}, energy{0, 100000, 0};
  table.group("Memory")
      .integer({"l1", "L1", "KiB", "Data, of one core."},
               {[](Machine& m) -> std::int64_t& { return m.l1.bytes; }, kibi}, {1, 4096})
      .real({"l1_bandwidth", "L1 bandwidth", "GB/s", "That one core draws from its L1."},
            {[](Machine& m) -> double& { return m.l1.bandwidth; }, giga}, bandwidth)
      .integer({"l2", "L2", "KiB", "That one core reaches; 0 if there is none."},
               {[](Machine& m) -> std::int64_t& { return m.l2.bytes; }, kibi}, {0, 1 << 17})
      .real({"l2_bandwidth", "L2 bandwidth", "GB/s", "That one core draws from L2."},
            {[](Machine& m) -> double& { return m.l2.bandwidth; }, giga}, bandwidth)
      .integer({"l3", "L3", "KiB", "That one core reaches; 0 if there is none."},
               {[](Machine& m) -> std::int64_t& { return m.l3.bytes; }, kibi}, {0, 1 << 20})
      .real({"l3_bandwidth", "L3 bandwidth", "GB/s", "That one core draws from L3."},
            {[](Machine& m) -> double& { return m.l3.bandwidth; }, giga}, bandwidth)
      .real({"dram_bandwidth", "DRAM bandwidth", "GB/s", "That one core draws from memory; all threads share it."},
            {[](Machine& m) -> double& { return m.dram.bandwidth; }, giga}, bandwidth)
      .real({"l1_energy", "L1 energy", "pJ/byte", "Of a byte moved; 0 shows no energy."},
            {[](Machine& m) -> double& { return m.l1.energy; }, pico}, energy)
      .real({"l2_energy", "L2 energy", "pJ/byte", "Of a byte moved."},
            {[](Machine& m) -> double& { return m.l2.energy; }, pico}, energy)
      .real({"l3_energy", "L3 energy", "pJ/byte", "Of a byte moved."},
            {[](Machine& m) -> double& { return m.l3.energy; }, pico}, energy)
      .real({"dram_energy", "DRAM energy", "pJ/byte", "Of a byte moved."},
            {[](Machine& m) -> double& { return m.dram.energy; }, pico}, energy);
}

void add_constraints(Table& table) {
  table
      .constraint({{"l1", "l2"},
                   "l2 must be larger than l1, or 0",
                   [](const ParameterValues& v) { return v.get("l2") == 0 || v.get("l2") > v.get("l1"); }})
      .constraint({{"l1", "l2", "l3"},
                   "l3 must be larger than l1 and l2, or 0",
                   [](const ParameterValues& v) {
                     return v.get("l3") == 0 || v.get("l3") > std::max(v.get("l1"), v.get("l2"));
                   }})
      .constraint({{"threads", "cores"}, "there must be a core for each of the threads", [](const ParameterValues& v) {
                     return v.get("threads") <= v.get("cores");
                   }});
}

Table make_table() {
  Table table("cpu", "CPU");
  for (const auto add : {add_code, add_core, add_memory, add_constraints}) add(table);
  return table;
}

/// A constant.
const Table& table() {
  static const Table made = make_table();
  return made;
}

/// How often a vector takes a unit.
double passes(int lanes, int unit_bits) {
  return std::max(1.0, static_cast<double>(lanes * float_bits) / unit_bits);
}

}  // namespace

double CpuMachine::vector_fmas(int lanes) const {
  return fmas / passes(lanes, unit_bits);
}

double CpuMachine::vector_loads(int lanes) const {
  return loads / passes(lanes, unit_bits);
}

double CpuMachine::peak() const {
  constexpr double operations_per_fma = 2;
  return operations_per_fma * fmas * unit_bits / float_bits * clock_hz;
}

std::shared_ptr<const arch::MachineDescription> machine_description() {
  return table().description();
}

Machine machine_from(const ParameterValues& values) {
  return table().machine(values);
}

ParameterValues parameter_values(const Machine& machine) {
  return table().values(machine);
}

}  // namespace convscope::cpu
