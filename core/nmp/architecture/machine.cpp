#include "core/nmp/architecture/machine.h"

#include <algorithm>
#include <array>

#include "core/arch/machine_table.h"

namespace convscope::nmp {
namespace {

using Table = arch::MachineTable<Machine>;
using arch::ParameterValues;

constexpr double nano = 1e-9, mega = 1e6, giga = 1e9;

/// A parameter of the DRAM that may differ from its kind's, as NMP names it.
struct Change {
  std::string name;
  std::size_t index = 0;  ///< in dram::description()
};

/// All but those that have names of their own.
std::vector<Change> make_changes() {
  std::vector<Change> all;
  const auto& parameters = dram::description()->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name != "ranks" && parameters[i].name != "in_flight")
      all.push_back({"dram_" + parameters[i].name, i});
  return all;
}

/// A constant.
const std::vector<Change>& changes() {
  static const std::vector<Change> all = make_changes();
  return all;
}

Table::Row changed(std::size_t index) {
  return {
      [=](Machine& machine, double value) {
        if (value == 0) return;
        machine.dram.changed.resize(dram::description()->parameters.size());
        machine.dram.changed[index] = value;
      },
      [=](const Machine& machine) { return index < machine.dram.changed.size() ? machine.dram.changed[index] : 0; }};
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const dram::Kind& kind : dram::kinds()) names.push_back(kind.name);
  return names;
}

/// The kind with NMP's ranks and requests in flight.
dram::Parameters unchanged(const DramSettings& settings) {
  dram::Parameters parameters = dram::kinds()[static_cast<std::size_t>(settings.kind)].parameters;
  parameters.organization.ranks = settings.ranks;
  parameters.controller.in_flight = settings.window;
  return parameters;
}

/// The DRAM's own values, whether they agree or not.
ParameterValues dram_values(const DramSettings& settings) {
  ParameterValues values = dram::values_of(unchanged(settings));
  for (std::size_t i = 0; i < settings.changed.size(); ++i)
    if (settings.changed[i] != 0) values.set_at(i, settings.changed[i]);
  return values;
}

/// Counts only at this element width.
Table::Row macs_at(int element_bytes, int otherwise) {
  return {[=](Machine& machine, double value) {
            if (machine.element_bytes == element_bytes) machine.macs_per_cycle = static_cast<int>(value);
          },
          [=](const Machine& machine) {
            return machine.element_bytes == element_bytes ? machine.macs_per_cycle : otherwise;
          }};
}

/// Tiles have half of a memory under double buffering.
Table::Row memory_of_tiles(std::int64_t Machine::*member) {
  const auto tiles = [](const Machine& machine) { return machine.double_buffering ? 2 : 1; };
  return {[=](Machine& machine, double value) { machine.*member = static_cast<std::int64_t>(value) / tiles(machine); },
          [=](const Machine& machine) { return static_cast<double>(machine.*member * tiles(machine)); }};
}

Table::Row buffering() {
  Table::Row row(
      [](Machine& machine, double index) {
        machine.double_buffering = index == 1;
        machine.choose_doubled = index == 2;
      },
      [](const Machine& machine) { return machine.double_buffering ? 1.0
                                          : machine.choose_doubled ? 2.0
                                                                   : 0.0; });
  row.derived = false;  // memories look at it
  return row;
}

void add_cores(Table& table) {
  table.group("Cores")
      .integer({"tles", "TLEs", "", "Tile processors, each with its DMA engine."}, &Machine::tles, {1, 64})
      .integer({"tlts", "TLTs of a TLE", "", "Tilelets: a MAC unit and three memories each."}, &Machine::tlts, {1, 64})
      .choice({"element", "Element width", "bit", "Fixed-point width of inputs, weights and outputs."},
              &Machine::element_bytes, {{"8", 1}, {"16", 2}})
      .integer({"macs_8_bit", "MACs per cycle at 8 bit", "", "Of one TLT; its data path is 128 bit wide."},
               macs_at(1, 16), {1, 1024})
      .integer({"macs_16_bit", "MACs per cycle at 16 bit", "", "Of one TLT."}, macs_at(2, 8), {1, 1024})
      .real({"clock", "Clock", "MHz", "Of MAC units and memories."}, {&Machine::clock_hz, mega}, {10, 10000, 10})
      .choice({"tle_timing", "TLE timing", "",
               "In lockstep one transfer or computation runs at a time, as the paper adds them up. Free-running TLEs "
               "compute while others transfer: simulated for the tiling that lockstep chose. With double buffering "
               "everything overlaps already."},
              &Machine::free_running, {{"lockstep", false}, {"free-running", true}})
      .choice(
          {"channel_partition", "Channels over TLEs", "",
           "Whether TLEs may share out the input maps of a convolution (IFM), as they do filters and rows: then all "
           "but one store their partial sums, and that one loads and adds them up."},
          &Machine::channel_partition, {{"off", false}, {"on", true}})
      .real({"mac_efficiency", "MAC efficiency", "",
             "Part of its peak that a MAC unit reaches while it computes; the paper measured 192 of 256 GMAC/s."},
            &Machine::mac_efficiency, {0.05, 1, 0.05});
}

void add_array(Table& table) {
  const auto array = [](auto MacArray::*member) {
    return [=](Machine & machine) -> auto& {
      return machine.array.*member;
    };
  };
  table.group("MAC array of a TLT")
      .choice({"array", "MAC array", "",
               "Which MACs idle where a tile doesn't fill them. Pooled: all of them work on one filter and channel, as "
               "the paper counts. Lanes: array_height channels x array_width filters at a time. Rows: a column of MACs "
               "holds the rows of a kernel, a row of them computes rows of the output (row stationary)."},
              {array(&MacArray::kind)}, {"pooled", "lanes", "rows"})
      .integer({"array_height", "Height", "", "Channels side by side (lanes), or rows of kernels (rows)."},
               array(&MacArray::height), {1, 1024})
      .integer({"array_width", "Width", "", "Filters side by side (lanes), or rows of the output (rows)."},
               array(&MacArray::width), {1, 1024})
      .integer(
          {"array_inputs", "Inputs that a MAC holds", "",
           "Elements of input rows (rows): as many channels as their kernel rows fit are added up before a partial "
           "sum leaves; 0: any number."},
          array(&MacArray::held_inputs), {0, 4096})
      .integer({"array_sums", "Partial sums in a cycle", "",
                "That reach the array from MB2, and as many that leave it, once for the channels that it adds up "
                "by itself; 0: no limit."},
               array(&MacArray::sums_port), {0, 4096});
}

void add_memories(Table& table) {
  constexpr arch::ParameterRange size{64, 1 << 20};
  table.group("Memories")
      .power_of_two({"input_memory", "Input memory MB0", "byte", "Holds the IN tile of a TLT."},
                    memory_of_tiles(&Machine::input_bytes), size)
      .power_of_two({"weight_memory", "Weight memory MB1", "byte", "Holds the W tile of a TLT."},
                    memory_of_tiles(&Machine::weight_bytes), size)
      .power_of_two({"output_memory", "Output memory MB2", "byte", "Holds the OUT tile of a TLT."},
                    memory_of_tiles(&Machine::output_bytes), size)
      .choice({"partial_sum", "Partial sum width", "bit",
               "Width at which outputs lie in MB2, and in DRAM until they are complete."},
              &Machine::partial_sum_bytes, {{"8", 1}, {"16", 2}, {"32", 4}})
      .choice({"double_buffering", "Double buffering", "",
               "A memory that holds two tiles, one in use and one in transfer, lets MACs and its transfers overlap. "
               "On: all "
               "three, first load and last store not charged apart. Chosen: for each layer those that pay, or none."},
              buffering(), {"off", "on", "chosen"})
      .choice({"memory_sharing", "MB0 and MB2", "",
               "Two memories, or one of both sizes together that each tiling divides between inputs and outputs."},
              &Machine::joint_memory, {{"separate", false}, {"joint", true}})
      .integer({"shared_buffer", "Shared global buffer", "byte",
                "A tile that several TLEs need and that fits is fetched once and handed to all of them; 0: none."},
               &Machine::shared_bytes, {0, 1 << 20, 256});
}

void add_ring(Table& table) {
  const auto ring = [](auto Ring::*member) {
    return [=](Machine & machine) -> auto& {
      return machine.ring.*member;
    };
  };
  table.group("Ring between TLEs")
      .choice({"ring", "Ring", "",
               "A tile that several TLEs need in a step comes out of DRAM once, into the first of them, and travels on "
               "to the others. Off: each TLE loads it."},
              {ring(&Ring::on)}, {"off", "on"})
      .integer({"ring_bytes", "Ring width", "byte/cycle", "What a TLE passes on to the next in a cycle."},
               ring(&Ring::bytes_per_cycle), {1, 1024})
      .integer({"ring_latency", "Ring latency", "cycles", "That each TLE on the way delays a tile."},
               ring(&Ring::hop_cycles), {0, 1024});
}

void add_dram(Table& table) {
  table.group("DRAM")
      .real({"bandwidth", "DRAM bandwidth", "GB/s", "While a burst lasts (levels volume and burst)."},
            {&Machine::bandwidth, giga}, {0.1, 1000, 0})
      .power_of_two({"burst", "Burst", "byte", "Bytes that one CAS latency buys."}, &Machine::burst_bytes, {8, 8192})
      .real({"cas", "CAS latency", "ns", "Charged for each burst."}, {&Machine::cas_seconds, nano}, {0, 1000, 0})
      .real({"command_cost", "Cost of a command", "ns", "Charged for each transfer command of a TLT."},
            {&Machine::command_seconds, nano}, {0, 100000, 0})
      .choice({"dram", "DRAM kind", "", "Its organization and timings (levels banked and walk, as all that follows)."},
              {[](Machine& machine) -> int& { return machine.dram.kind; }}, kind_names())
      .power_of_two({"dram_ranks", "Ranks", "", "Ranks that share the data bus."},
                    [](Machine& machine) -> int& { return machine.dram.ranks; }, {1, 4})
      .integer({"dram_window", "Requests in flight", "",
                "Reads that are asked and not answered yet; 1 approaches level burst."},
               [](Machine& machine) -> int& { return machine.dram.window; }, {1, 256});
}

// What a kind of DRAM says of itself, each to be said otherwise.
void add_dram_changes(Table& table) {
  table.group("DRAM, other than its kind");
  for (const Change& change : changes()) {
    const arch::ParameterDescription& of = dram::description()->parameters[change.index];
    const std::string help = of.help + (of.kind == arch::ParameterKind::choice ? "" : " 0: as the kind has it.");
    const arch::ParameterText text{change.name.c_str(), of.label.c_str(), of.unit.c_str(), help.c_str()};
    if (of.kind == arch::ParameterKind::choice)
      table.choice(text, changed(change.index), of.choices);
    else if (of.kind == arch::ParameterKind::real)
      table.real(text, changed(change.index), {0, of.maximum, 0});
    else
      table.integer(text, changed(change.index), {0, of.maximum});
  }
}

/// MACs per cycle at the element width.
double macs_of(const ParameterValues& v) {
  return v.get(v.get_choice("element") == "8" ? "macs_8_bit" : "macs_16_bit");
}

void add_array_constraints(Table& table) {
  table
      .constraint({{"array", "array_height", "array_width", "element", "macs_8_bit", "macs_16_bit"},
                   "with array=lanes, array_height x array_width must divide the MACs per cycle",
                   [](const ParameterValues& v) {
                     const int lanes = v.get_int("array_height") * v.get_int("array_width");
                     return v.get_choice("array") != "lanes" || static_cast<int>(macs_of(v)) % lanes == 0;
                   }})
      .constraint({{"array", "array_height", "array_width", "element", "macs_8_bit", "macs_16_bit"},
                   "with array=rows, array_height x array_width must be the MACs per cycle",
                   [](const ParameterValues& v) {
                     const int all = v.get_int("array_height") * v.get_int("array_width");
                     return v.get_choice("array") != "rows" || static_cast<int>(macs_of(v)) == all;
                   }})
      .constraint({{"array", "tle_timing"},
                   "free-running TLEs are simulated with pooled MACs only",
                   [](const ParameterValues& v) {
                     return v.get_choice("array") == "pooled" || v.get_choice("tle_timing") == "lockstep";
                   }})
      .constraint({{"channel_partition", "tle_timing", "array"},
                   "TLEs that share out channels run in lockstep, with pooled MACs",
                   [](const ParameterValues& v) {
                     return v.get_choice("channel_partition") == "off" ||
                            (v.get_choice("tle_timing") == "lockstep" && v.get_choice("array") == "pooled");
                   }})
      .constraint({{"memory_sharing", "double_buffering"},
                   "which of two memories is doubled means nothing where they are one: memory_sharing=joint needs "
                   "double_buffering=off or on",
                   [](const ParameterValues& v) {
                     return v.get_choice("memory_sharing") == "separate" ||
                            v.get_choice("double_buffering") != "chosen";
                   }});
}

void add_constraints(Table& table) {
  table
      .constraint({{"double_buffering", "tle_timing"},
                   "which memories to double is chosen for TLEs in lockstep",
                   [](const ParameterValues& v) {
                     return v.get_choice("double_buffering") != "chosen" || v.get_choice("tle_timing") == "lockstep";
                   }})
      .constraint({{"partial_sum", "element"},
                   "partial sums must be at least as wide as elements",
                   [](const ParameterValues& v) { return v.get("partial_sum") >= v.get("element"); }})
      .constraint({{"shared_buffer", "tle_timing"},
                   "a shared buffer hands tiles to TLEs that run in lockstep; free-running ones need shared_buffer=0",
                   [](const ParameterValues& v) {
                     return v.get("shared_buffer") == 0 || v.get_choice("tle_timing") == "lockstep";
                   }})
      .constraint(
          {{"shared_buffer", "ring"},
           "a ring and a shared buffer are two ways to the same: with ring=on, shared_buffer must be 0",
           [](const ParameterValues& v) { return v.get("shared_buffer") == 0 || v.get_choice("ring") == "off"; }});
}

/// NMP's name of a parameter of the DRAM.
std::string nmp_name(const std::string& name) {
  return name == "in_flight" ? "dram_window" : "dram_" + name;
}

// A DRAM that is none by its own description is refused with that description's words.
void add_dram_constraints(Table& table) {
  const auto description = dram::description();
  for (const Change& change : changes()) {
    const arch::ParameterDescription& of = description->parameters[change.index];
    if (!of.powers_of_two) continue;
    table.constraint({{change.name},
                      change.name + " must be a power of two, or 0 for the kind's",
                      [name = change.name, index = change.index, description](const ParameterValues& v) {
                        const double value = v.get(name);
                        return value == 0 || !arch::range_violation(description->parameters[index], value);
                      }});
  }
  for (const arch::Constraint& constraint : description->constraints) {
    std::vector<std::string> names{"dram"};
    for (const std::string& name : constraint.parameters) names.push_back(nmp_name(name));
    table.constraint(
        {names, "the DRAM contradicts itself: " + constraint.message,
         [holds = constraint.holds](const ParameterValues& v) { return holds(dram_values(machine_from(v).dram)); }});
  }
}

Table make_table() {
  Table table("nmp", "NeuroMorphic Processor");
  for (const auto add : {add_cores, add_array, add_memories, add_ring, add_dram, add_dram_changes}) add(table);
  table.group("Cost model")
      .choice({"borders", "Border tiles", "", "Charged as full tiles, as the paper does, or with their true sizes."},
              &Machine::borders, {{"full-tiles", Borders::full}, {"exact", Borders::exact}})
      .choice({"operators", "Operators in the estimate", "",
               "Convolutions, as in the paper; or all that NMP has instructions for: pools, element by element "
               "operations, fully connected layers by percept, while clamps and concatenations take no time."},
              &Machine::all_operators, {{"convolutions", false}, {"all", true}});
  add_constraints(table);
  add_array_constraints(table);
  add_dram_constraints(table);
  return table;
}

/// A constant.
const Table& table() {
  static const Table made = make_table();
  return made;
}

}  // namespace

Machine with_doubled(Machine machine, const Doubled& doubled) {
  machine.doubled = doubled;
  if (doubled.input) machine.input_bytes /= 2;
  if (doubled.weights) machine.weight_bytes /= 2;
  if (doubled.output) machine.output_bytes /= 2;
  return machine;
}

// A DRAM that contradicts itself is refused before anything is asked of it; who asks all the same gets the kind.
dram::Parameters dram_of(const DramSettings& settings) {
  if (settings.changed.empty()) return unchanged(settings);
  const ParameterValues values = dram_values(settings);
  Diagnostics ignored;
  return values.check(ignored) ? dram::parameters_from(values) : unchanged(settings);
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

}  // namespace convscope::nmp
