#include "core/nve/architecture/machine.h"

#include <algorithm>
#include <cassert>

#include "core/arch/machine_table.h"

namespace convscope::nve {
namespace {

using Table = arch::MachineTable<Machine>;

/// Mega-units, in which rates are entered.
constexpr double mega = 1e6;

void add_datapath(Table& table) {
  table.group("Datapath")
      .power_of_two({"lanes", "Vector lanes", "",
                     "Multiply-accumulate units; also the output rows of a strip. ACT handles half of them at once."},
                    &Machine::lanes, {4, 64})
      .integer({"weight_registers", "Weight registers", "",
                "Length of the weight register rw; one set loads at most the coefficients of one buffer word."},
               &Machine::weight_registers, {1, 8})
      .integer({"image_extension", "Image register extension", "pixels",
                "Pixels beyond the vector that set-shift can load; limits the kernel height."},
               &Machine::image_extension, {0, 15})
      .power_of_two({"accumulators", "Accumulator vectors", "",
                     "Vectors of accumulators: a program with an inner loop sums up so many output maps at once."},
                    &Machine::accumulators, {1, 32})
      .integer({"bias_shift", "Largest bias shift", "bit",
                "How far biases may be shifted to the left when they are loaded, by programs with an inner loop."},
               &Machine::bias_shift, {0, 15});
}

void add_memory(Table& table) {
  table.group("Memory")
      .power_of_two({"port_width", "Port width", "bit", "Width of a buffer port and of a buffer word."},
                    &Machine::port_bits, {64, 128})
      .power_of_two({"local_buffer", "Local buffer", "words", "Size of the local buffer."},
                    &Machine::local_buffer_words, {64, 16384})
      .power_of_two({"instruction_buffer", "Instruction buffer", "words",
                     "Largest program: initial part, prologue, repeated and final part together."},
                    &Machine::instruction_buffer_words, {64, 16384})
      .choice({"loop", "Inner loop", "",
               "Whether an iteration can run a part of its instructions many times: layers of any depth in few words."},
              &Machine::loop, {{"off", InnerLoop::off}, {"on", InnerLoop::on}})
      .choice({"memory", "Memory kind", "",
               "True dual port (A reads and writes, B reads), simple dual port, or two banks of simple dual port."},
              &Machine::memory,
              {{"true-dual-port", MemoryKind::true_dual_port},
               {"simple-dual-port", MemoryKind::simple_dual_port},
               {"two-banks", MemoryKind::two_banks}});
}

void add_latencies(Table& table) {
  table.group("Latencies")
      .integer({"write_to_read", "Write to read", "cycles", "From a buffer write to the first read that sees it."},
               &Machine::write_to_read, {1, 8})
      .integer(
          {"read_to_set", "Read to set", "cycles", "From a buffer read to the register operation that takes its word."},
          &Machine::read_to_set, {1, 8})
      .integer(
          {"set_to_use", "Set to use", "cycles", "From a register operation to the vector operation that uses it."},
          &Machine::set_to_use, {1, 4})
      .integer({"output_latency", "Output latency", "cycles",
                "From set rb to the first ACT of the accumulators that it moved out."},
               &Machine::output_latency, {1, 8});
}

void add_system(Table& table) {
  table.group("System")
      .real({"clock", "Clock", "MHz", "Clock frequency of the machine."}, {&Machine::clock_hz, mega}, {10, 2000, 0.1})
      .integer({"cores", "Cores", "", "Output maps are divided over cores that share the bandwidth."}, &Machine::cores,
               {1, 16})
      .choice({"transfer_mode", "Transfer mode", "",
               "Pixels continuous in DRAM, reordered by the host first, or one descriptor per pixel column."},
              &Machine::transfer_mode,
              {{"continuous", TransferMode::continuous},
               {"host-reordered", TransferMode::host_reordered},
               {"scatter-gather", TransferMode::scatter_gather}})
      .real({"bandwidth", "DRAM bandwidth", "MB/s", "Between DRAM and all cores together."},
            {&Machine::bandwidth, mega}, {1, 100000, 0.1})
      .integer({"descriptor_cost", "Descriptor cost", "cycles", "Clock cycles to start one scatter-gather descriptor."},
               &Machine::descriptor_cycles, {0, 10000})
      .real({"host_copy_bandwidth", "Host copy bandwidth", "MB/s",
             "Rate at which the host reorders pixels into one contiguous block."},
            {&Machine::host_copy_bandwidth, mega}, {1, 100000, 0.1});
}

Table make_table() {
  Table table("nve", "Neuro Vector Engine");
  for (const auto add : {add_datapath, add_memory, add_latencies, add_system}) add(table);
  table.constraint(
      {{"image_extension", "port_width"},
       "image_extension must not exceed the pixels of one buffer word (port_width / 8): set-shift loads one word",
       [](const arch::ParameterValues& values) {
         return values.get_int("image_extension") <= values.get_int("port_width") / 8;
       }});
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

bool is_later_parameter(std::string_view name) {
  return name == "loop" || name == "accumulators" || name == "bias_shift";
}

Machine machine_from(const arch::ParameterValues& values) {
  return table().machine(values);
}

arch::ParameterValues parameter_values(const Machine& machine) {
  return table().values(machine);
}

RegisterLayout::RegisterLayout(const SchedulingMachine& machine, int vertical_stride)
    : words_per_set(machine.has_port_b() ? 2 : 1),
      extension(std::min(machine.image_extension, machine.pixels_per_word())),
      pixels_per_word(machine.pixels_per_word()),
      stride(vertical_stride),
      lanes(machine.lanes) {
  assert(vertical_stride > 0);
  const int vector_pixels = (lanes - 1) * stride + 1;
  base_words = (vector_pixels + pixels_per_word - 1) / pixels_per_word;
}

}  // namespace convscope::nve
