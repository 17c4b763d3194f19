#include "core/nmp/architecture/machine.h"

#include <string>
#include <utility>
#include <vector>

namespace convscope::nmp {
namespace {

using arch::ParameterDescription;
using arch::ParameterKind;
using arch::ParameterValues;

struct Text {
  const char* name;
  const char* label;
  const char* unit;
  const char* group;
  const char* help;
};

ParameterDescription described(const Text& text, ParameterKind kind, double minimum, double maximum, double initial) {
  ParameterDescription description;
  description.name = text.name;
  description.label = text.label;
  description.unit = text.unit;
  description.group = text.group;
  description.help = text.help;
  description.kind = kind;
  description.minimum = minimum;
  description.maximum = maximum;
  description.initial = initial;
  return description;
}

ParameterDescription integer(const Text& text, int minimum, int maximum, int initial) {
  return described(text, ParameterKind::integer, minimum, maximum, initial);
}

ParameterDescription power_of_two(const Text& text, int minimum, int maximum, int initial) {
  ParameterDescription description = integer(text, minimum, maximum, initial);
  description.powers_of_two = true;
  return description;
}

ParameterDescription real(const Text& text, double minimum, double maximum, double step, double initial) {
  ParameterDescription description = described(text, ParameterKind::real, minimum, maximum, initial);
  description.step = step;
  return description;
}

ParameterDescription choice(const Text& text, std::vector<std::string> choices, int initial) {
  ParameterDescription description =
      described(text, ParameterKind::choice, 0, static_cast<double>(choices.size()) - 1, initial);
  description.choices = std::move(choices);
  return description;
}

std::vector<ParameterDescription> core_parameters() {
  return {
      integer({"tles", "TLEs", "", "Cores", "Tile processors, each with its DMA engine."}, 1, 64, 4),
      integer({"tlts", "TLTs of a TLE", "", "Cores", "Tilelets: a MAC unit and three memories each."}, 1, 64, 8),
      choice({"element", "Element width", "bit", "Cores", "Fixed-point width of inputs, weights and outputs."},
             {"8", "16"}, 1),
      integer({"macs_8_bit", "MACs per cycle at 8 bit", "", "Cores", "Of one TLT; its data path is 128 bit wide."}, 1,
              1024, 16),
      integer({"macs_16_bit", "MACs per cycle at 16 bit", "", "Cores", "Of one TLT."}, 1, 1024, 8),
      real({"clock", "Clock", "MHz", "Cores", "Of MAC units and memories."}, 10, 10000, 10, 1000),
      choice({"tle_timing", "TLE timing", "", "Cores",
              "In lockstep one transfer or computation runs at a time, as the paper adds them up. Free-running TLEs "
              "compute while others transfer: simulated for the tiling that lockstep chose. With double buffering "
              "everything overlaps already."},
             {"lockstep", "free-running"}, 0),
      real({"mac_efficiency", "MAC efficiency", "", "Cores",
            "Part of its peak that a MAC unit reaches while it computes; the paper measured 192 of 256 GMAC/s."},
           0.05, 1, 0.05, 1)};
}

ParameterDescription shared_buffer() {
  ParameterDescription description =
      integer({"shared_buffer", "Shared global buffer", "byte", "Memories",
               "A tile that several TLEs need and that fits is fetched once and handed to all of them; 0: none."},
              0, 1 << 20, 0);
  description.step = 256;
  return description;
}

std::vector<ParameterDescription> memory_parameters() {
  return {
      power_of_two({"input_memory", "Input memory MB0", "byte", "Memories", "Holds the IN tile of a TLT."}, 64, 1 << 20,
                   8192),
      power_of_two({"weight_memory", "Weight memory MB1", "byte", "Memories", "Holds the W tile of a TLT."}, 64,
                   1 << 20, 8192),
      power_of_two({"output_memory", "Output memory MB2", "byte", "Memories", "Holds the OUT tile of a TLT."}, 64,
                   1 << 20, 8192),
      choice({"partial_sum", "Partial sum width", "bit", "Memories",
              "Width at which outputs lie in MB2, and in DRAM until they are complete."},
             {"8", "16", "32"}, 1),
      choice({"double_buffering", "Double buffering", "", "Memories",
              "Each memory holds two tiles, one in use and one in transfer, so that MACs and transfers overlap. The "
              "first load and the last store are not charged apart."},
             {"off", "on"}, 0),
      shared_buffer()};
}

std::vector<ParameterDescription> dram_parameters() {
  return {real({"bandwidth", "DRAM bandwidth", "GB/s", "DRAM", "While a burst lasts (levels volume and burst)."}, 0.1,
               1000, 0, 17.066),
          power_of_two({"burst", "Burst", "byte", "DRAM", "Bytes that one CAS latency buys."}, 8, 8192, 128),
          real({"cas", "CAS latency", "ns", "DRAM", "Charged for each burst."}, 0, 1000, 0, 14),
          real({"command_cost", "Cost of a command", "ns", "DRAM", "Charged for each transfer command of a TLT."}, 0,
               100000, 0, 0),
          choice({"dram", "DRAM kind", "", "DRAM", "Its timings (level banked only, as ranks and requests in flight)."},
                 {"DDR3-2133", "DDR4-3200", "LPDDR4-2400"}, 0),
          power_of_two({"dram_ranks", "Ranks", "", "DRAM", "Ranks that share the data bus."}, 1, 4, 1),
          integer({"dram_window", "Requests in flight", "", "DRAM",
                   "That the memory controller chooses from; 1 approaches level burst."},
                  1, 256, 32),
          choice({"borders", "Border tiles", "", "Cost model",
                  "Charged as full tiles, as the paper does, or with their true sizes."},
                 {"full-tiles", "exact"}, 0)};
}

std::vector<arch::Constraint> constraints() {
  return {{{"partial_sum", "element"},
           "partial sums must be at least as wide as elements",
           [](const ParameterValues& v) { return v.get("partial_sum") >= v.get("element"); }},
          {{"shared_buffer", "tle_timing"},
           "a shared buffer hands tiles to TLEs that run in lockstep; free-running ones need shared_buffer=0",
           [](const ParameterValues& v) {
             return v.get("shared_buffer") == 0 || v.get_choice("tle_timing") == "lockstep";
           }}};
}

// JEDEC speed bins: JESD79-3F (8 banks, no bank groups), JESD79-4 (4 bank groups of 4), JESD209-4 (burst of 16, two
// 16-bit channels side by side). DDR4's are those of the published simulations that the closed form was fitted to.
DramTimings timings_of(const std::string& kind) {
  if (kind == "DDR4-3200") return {};
  if (kind == "DDR3-2133") return {1.066e9, 64, 8192, 8, 4, 4, 14, 14, 50, 27, 278, 8320, 1, 32};
  return {1.2e9, 64, 4096, 8, 8, 8, 22, 24, 76, 48, 216, 4680, 1, 32};
}

}  // namespace

std::shared_ptr<const arch::MachineDescription> machine_description() {
  auto description = std::make_shared<arch::MachineDescription>();
  description->target = "nmp";
  description->title = "NeuroMorphic Processor";
  for (auto part : {core_parameters, memory_parameters, dram_parameters})
    for (ParameterDescription& parameter : part()) description->parameters.push_back(std::move(parameter));
  description->constraints = constraints();
  return description;
}

Machine machine_from(const ParameterValues& values) {
  Machine m;
  m.tles = values.get_int("tles");
  m.tlts = values.get_int("tlts");
  m.element_bytes = values.get_choice("element") == "8" ? 1 : 2;
  m.macs_per_cycle = values.get_int(m.element_bytes == 1 ? "macs_8_bit" : "macs_16_bit");
  m.clock_hz = values.get("clock") * 1e6;
  m.mac_efficiency = values.get("mac_efficiency");
  m.input_bytes = values.get_int("input_memory");
  m.weight_bytes = values.get_int("weight_memory");
  m.output_bytes = values.get_int("output_memory");
  m.double_buffering = values.get_choice("double_buffering") == "on";
  if (m.double_buffering)
    for (std::int64_t* memory : {&m.input_bytes, &m.weight_bytes, &m.output_bytes}) *memory /= 2;
  m.free_running = values.get_choice("tle_timing") == "free-running";
  m.shared_bytes = values.get_int("shared_buffer");
  m.partial_sum_bytes = std::stoi(values.get_choice("partial_sum")) / 8;
  m.bandwidth = values.get("bandwidth") * 1e9;
  m.burst_bytes = values.get_int("burst");
  m.cas_seconds = values.get("cas") * 1e-9;
  m.command_seconds = values.get("command_cost") * 1e-9;
  m.dram = timings_of(values.get_choice("dram"));
  m.dram.ranks = values.get_int("dram_ranks");
  m.dram.window = values.get_int("dram_window");
  m.borders = values.get_choice("borders") == "exact" ? Borders::exact : Borders::full;
  return m;
}

}  // namespace convscope::nmp
