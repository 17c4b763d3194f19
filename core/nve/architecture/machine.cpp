#include "core/nve/architecture/machine.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

namespace convscope::nve {
namespace {

using arch::Constraint;
using arch::MachineDescription;
using arch::ParameterDescription;
using arch::ParameterKind;
using arch::ParameterValues;

/// Mega-units, in which rates are entered.
constexpr double mega = 1e6;

struct Text {
  const char* name;
  const char* label;
  const char* unit;
  const char* group;
  const char* help;
};

ParameterDescription described(const Text& text) {
  ParameterDescription description;
  description.name = text.name;
  description.label = text.label;
  description.unit = text.unit;
  description.group = text.group;
  description.help = text.help;
  return description;
}

ParameterDescription integer(const Text& text, int minimum, int maximum, int initial) {
  ParameterDescription description = described(text);
  description.minimum = minimum;
  description.maximum = maximum;
  description.initial = initial;
  return description;
}

ParameterDescription power_of_two(const Text& text, int minimum, int maximum, int initial) {
  ParameterDescription description = integer(text, minimum, maximum, initial);
  description.powers_of_two = true;
  return description;
}

ParameterDescription real(const Text& text, double minimum, double maximum, double step, double initial) {
  ParameterDescription description = described(text);
  description.kind = ParameterKind::real;
  description.minimum = minimum;
  description.maximum = maximum;
  description.step = step;
  description.initial = initial;
  return description;
}

ParameterDescription choice(const Text& text, std::vector<std::string> choices, int initial) {
  ParameterDescription description = described(text);
  description.kind = ParameterKind::choice;
  description.maximum = static_cast<double>(choices.size()) - 1;
  description.choices = std::move(choices);
  description.initial = initial;
  return description;
}

std::vector<ParameterDescription> datapath_parameters(const Machine& thesis) {
  return {
      power_of_two({"lanes", "Vector lanes", "", "Datapath",
                    "Multiply-accumulate units; also the output rows of a strip. ACT handles half of them at once."},
                   4, 64, thesis.lanes),
      integer({"weight_registers", "Weight registers", "", "Datapath",
               "Length of the weight register rw; one set loads at most the coefficients of one buffer word."},
              1, 8, thesis.weight_registers),
      integer({"image_extension", "Image register extension", "pixels", "Datapath",
               "Pixels beyond the vector that set-shift can load; limits the kernel height."},
              0, 15, thesis.image_extension)};
}

std::vector<ParameterDescription> memory_parameters(const Machine& thesis) {
  return {power_of_two({"port_width", "Port width", "bit", "Memory", "Width of a buffer port and of a buffer word."},
                       64, 128, thesis.port_bits),
          power_of_two({"local_buffer", "Local buffer", "words", "Memory", "Size of the local buffer."}, 64, 16384,
                       thesis.local_buffer_words),
          power_of_two({"instruction_buffer", "Instruction buffer", "words", "Memory",
                        "Largest program: initial part, prologue, repeated and final part together."},
                       64, 16384, thesis.instruction_buffer_words),
          choice({"memory", "Memory kind", "", "Memory",
                  "True dual port (A reads and writes, B reads), simple dual port, or two banks of simple dual port."},
                 {"true-dual-port", "simple-dual-port", "two-banks"}, static_cast<int>(thesis.memory))};
}

std::vector<ParameterDescription> latency_parameters(const Machine& thesis) {
  return {integer({"write_to_read", "Write to read", "cycles", "Latencies",
                   "From a buffer write to the first read that sees it."},
                  1, 8, thesis.write_to_read),
          integer({"read_to_set", "Read to set", "cycles", "Latencies",
                   "From a buffer read to the register operation that takes its word."},
                  1, 8, thesis.read_to_set),
          integer({"set_to_use", "Set to use", "cycles", "Latencies",
                   "From a register operation to the vector operation that uses it."},
                  1, 4, thesis.set_to_use),
          integer({"output_latency", "Output latency", "cycles", "Latencies",
                   "From set rb to the first ACT of the accumulators that it moved out."},
                  1, 8, thesis.output_latency)};
}

std::vector<ParameterDescription> system_parameters(const Machine& thesis) {
  return {real({"clock", "Clock", "MHz", "System", "Clock frequency of the machine."}, 10, 2000, 0.1,
               thesis.clock_hz / mega),
          integer({"cores", "Cores", "", "System", "Output maps are divided over cores that share the bandwidth."}, 1,
                  16, thesis.cores),
          choice({"transfer_mode", "Transfer mode", "", "System",
                  "Pixels continuous in DRAM, reordered by the host first, or one descriptor per pixel column."},
                 {"continuous", "host-reordered", "scatter-gather"}, 0),
          real({"bandwidth", "DRAM bandwidth", "MB/s", "System", "Between DRAM and all cores together."}, 1, 100000,
               0.1, thesis.bandwidth / mega),
          integer({"descriptor_cost", "Descriptor cost", "cycles", "System",
                   "Clock cycles to start one scatter-gather descriptor."},
                  0, 10000, thesis.descriptor_cycles),
          real({"host_copy_bandwidth", "Host copy bandwidth", "MB/s", "System",
                "Rate at which the host reorders pixels into one contiguous block."},
               1, 100000, 0.1, thesis.host_copy_bandwidth / mega)};
}

std::vector<Constraint> constraints() {
  return {{{"image_extension", "port_width"},
           "image_extension must not exceed the pixels of one buffer word (port_width / 8): set-shift loads one word",
           [](const ParameterValues& values) {
             return values.get_int("image_extension") <= values.get_int("port_width") / 8;
           }}};
}

MemoryKind memory_from(const std::string& name) {
  if (name == "simple-dual-port") return MemoryKind::simple_dual_port;
  return name == "two-banks" ? MemoryKind::two_banks : MemoryKind::true_dual_port;
}

TransferMode transfer_from(const std::string& name) {
  if (name == "scatter-gather") return TransferMode::scatter_gather;
  return name == "host-reordered" ? TransferMode::host_reordered : TransferMode::continuous;
}

}  // namespace

std::shared_ptr<const MachineDescription> machine_description() {
  auto description = std::make_shared<MachineDescription>();
  description->target = "nve";
  description->title = "Neuro Vector Engine";
  const Machine thesis;
  for (auto part : {datapath_parameters, memory_parameters, latency_parameters, system_parameters})
    for (ParameterDescription& parameter : part(thesis)) description->parameters.push_back(std::move(parameter));
  description->constraints = constraints();
  return description;
}

Machine machine_from(const ParameterValues& values) {
  Machine machine;
  machine.lanes = values.get_int("lanes");
  machine.port_bits = values.get_int("port_width");
  machine.local_buffer_words = values.get_int("local_buffer");
  machine.instruction_buffer_words = values.get_int("instruction_buffer");
  machine.weight_registers = values.get_int("weight_registers");
  machine.image_extension = values.get_int("image_extension");
  machine.memory = memory_from(values.get_choice("memory"));
  machine.write_to_read = values.get_int("write_to_read");
  machine.read_to_set = values.get_int("read_to_set");
  machine.set_to_use = values.get_int("set_to_use");
  machine.output_latency = values.get_int("output_latency");
  machine.clock_hz = values.get("clock") * mega;
  machine.cores = values.get_int("cores");
  machine.transfer_mode = transfer_from(values.get_choice("transfer_mode"));
  machine.bandwidth = values.get("bandwidth") * mega;
  machine.descriptor_cycles = values.get_int("descriptor_cost");
  machine.host_copy_bandwidth = values.get("host_copy_bandwidth") * mega;
  return machine;
}

RegisterLayout::RegisterLayout(const Machine& machine, int vertical_stride)
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
