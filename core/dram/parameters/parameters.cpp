#include "core/dram/parameters/parameters.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/arch/machine_table.h"

namespace convscope::dram {
namespace {

using Table = arch::MachineTable<Parameters>;
using arch::ParameterRange;
using arch::ParameterText;
using arch::ParameterValues;

constexpr std::string_view field_names[] = {"row", "rank", "bank", "group", "column"};

auto in(auto Organization::*member) {
  return [member](Parameters & p) -> auto& {
    return p.organization.*member;
  };
}
auto in(int Timings::*member) {
  return [member](Parameters& p) -> int& { return p.timings.*member; };
}
auto in(int Controller::*member) {
  return [member](Parameters& p) -> int& { return p.controller.*member; };
}

std::vector<std::string> mapping_names() {
  std::vector<std::string> names;
  for (const Mapping& mapping : all_mappings()) names.push_back(text_of(mapping));
  return names;
}

Table::Row mapping_row() {
  return {[](Parameters& p, double index) { p.organization.mapping = all_mappings()[static_cast<std::size_t>(index)]; },
          [](const Parameters& p) {
            const auto& all = all_mappings();
            return static_cast<double>(std::find(all.begin(), all.end(), p.organization.mapping) - all.begin());
          }};
}

Table::Row page_row() {
  return {[](Parameters& p, double index) { p.controller.page = index > 0 ? Page::closed : Page::open; },
          [](const Parameters& p) { return p.controller.page == Page::closed ? 1.0 : 0.0; }};
}

void add_organization(Table& table) {
  table.group("Organization")
      .power_of_two({"bus", "Data bus", "bit", "Data lines of a channel."}, in(&Organization::bus_bits), {8, 1024})
      .power_of_two({"burst_length", "Burst length", "", "Beats of one access, two each clock cycle."},
                    in(&Organization::burst_length), {2, 64})
      .real({"clock", "Clock", "MHz", "Of commands; data move at twice its rate."}, {in(&Organization::clock_hz), 1e6},
            {10, 10000, 0})
      .power_of_two({"channels", "Channels", "", "Each with its own bus and controller."}, in(&Organization::channels),
                    {1, 16})
      .power_of_two({"interleave", "Channel interleaving", "byte", "Neighbouring bytes that lie in one channel."},
                    in(&Organization::interleave_bytes), {8, 1 << 20})
      .power_of_two({"ranks", "Ranks", "", "Of a channel; they share its bus."}, in(&Organization::ranks), {1, 16})
      .power_of_two({"groups", "Bank groups", "", "Of a rank."}, in(&Organization::groups), {1, 16})
      .power_of_two({"banks", "Banks", "", "Of a rank, in all its groups."}, in(&Organization::banks), {1, 128})
      .power_of_two({"rows", "Rows", "", "Of a bank."}, in(&Organization::rows), {1, 1 << 24})
      .power_of_two({"row", "Row", "byte", "One row of one bank, over all devices of a rank."},
                    in(&Organization::row_bytes), {64, 1 << 20})
      .choice({"mapping", "Address mapping", "", "Fields of an address, from its highest bits to its lowest."},
              mapping_row(), mapping_names());
}

void add_timings(Table& table) {
  const auto cycles = [&](const char* name, const char* help, int Timings::*member, int least = 1) {
    table.integer({name, name, "cycles", help}, in(member), {static_cast<double>(least), 1e6});
  };
  table.group("Timings");
  cycles("tRCD", "Activate to read or write.", &Timings::tRCD);
  cycles("tRP", "Precharge to activate.", &Timings::tRP);
  cycles("tRAS", "Activate to precharge.", &Timings::tRAS);
  cycles("tRC", "Activate to activate of a bank.", &Timings::tRC);
  cycles("CL", "Read to its first data.", &Timings::CL);
  cycles("CWL", "Write to its first data.", &Timings::CWL);
  cycles("tWR", "Last data written to precharge.", &Timings::tWR);
  cycles("tWTR_S", "Last data written to read, another bank group.", &Timings::tWTR_S, 0);
  cycles("tWTR_L", "Last data written to read, the same bank group.", &Timings::tWTR_L, 0);
  cycles("tRTP", "Read to precharge.", &Timings::tRTP);
  cycles("tCCD_S", "Access to access, another bank group.", &Timings::tCCD_S);
  cycles("tCCD_L", "Access to access, the same bank group.", &Timings::tCCD_L);
  cycles("tRRD_S", "Activate to activate, another bank group.", &Timings::tRRD_S);
  cycles("tRRD_L", "Activate to activate, the same bank group.", &Timings::tRRD_L);
  cycles("tFAW", "Window that may hold four activates of a rank.", &Timings::tFAW);
  cycles("tRFC", "Refresh to activate.", &Timings::tRFC);
  cycles("tREFI", "Refresh to refresh of a rank.", &Timings::tREFI, 2);
  cycles("rank_switch", "The bus idles when another rank takes it.", &Timings::rank_switch, 0);
}

void add_controller(Table& table) {
  table.group("Controller")
      .integer({"in_flight", "Reads in flight", "", "Asked and not answered yet; 0: as many as the queues take."},
               in(&Controller::in_flight), {0, 4096})
      .integer({"queue", "Queue", "", "Reads that wait to be given to a bank, and as many writes."},
               in(&Controller::queue), {1, 1024})
      .integer({"bank_queue", "Queue of a bank", "", "Accesses that wait at each bank."}, in(&Controller::bank_queue),
               {1, 64})
      .integer({"row_hits", "Row hits", "",
                "A row serves as many before an older access to another row of its bank may close it."},
               in(&Controller::row_hits), {1, 1024})
      .integer({"write_batch", "Writes that wait", "", "More than these are served while no bank has anything to do."},
               in(&Controller::write_batch), {0, 1023})
      .choice({"page", "Page policy", "", "Whether a row that nobody waits for stays open."}, page_row(),
              {"open", "closed"});
}

/// `a` must be at most `b`.
void at_most(Table& table, const char* a, const char* b, const char* why) {
  table.constraint({{a, b}, fmt::format("{} must be at most {}: {}", a, b, why), [a, b](const ParameterValues& v) {
                      return v.get(a) <= v.get(b);
                    }});
}

double line_of(const ParameterValues& v) {
  return v.get("bus") / 8 * v.get("burst_length");
}

void add_constraints(Table& table) {
  at_most(table, "groups", "banks", "a bank group has at least one bank");
  at_most(table, "tCCD_S", "tCCD_L", "an access to the same bank group waits no less");
  at_most(table, "tRRD_S", "tRRD_L", "an activate in the same bank group waits no less");
  at_most(table, "tWTR_S", "tWTR_L", "a read from the same bank group waits no less");
  at_most(table, "tRRD_S", "tFAW", "the window holds four activates, tRRD_S apart");
  at_most(table, "tRCD", "tRAS", "a row is open before it is closed again");
  at_most(table, "tRRD_L", "tRC", "activates of one bank are no closer than those of two");
  table
      .constraint({{"tRAS", "tRP", "tRC"},
                   "tRC must be at least tRAS + tRP: a bank is open, then closed, in one cycle",
                   [](const ParameterValues& v) { return v.get("tRC") >= v.get("tRAS") + v.get("tRP"); }})
      .constraint({{"bus", "burst_length", "row"},
                   "a row must hold an access: bus / 8 x burst_length bytes",
                   [](const ParameterValues& v) { return line_of(v) <= v.get("row"); }})
      .constraint(
          {{"bus", "burst_length", "interleave"},
           "channels change between accesses: interleave must be at least bus / 8 x burst_length",
           [](const ParameterValues& v) { return v.get("channels") == 1 || line_of(v) <= v.get("interleave"); }})
      // Precharging what is open takes time, too: else a rank that is always in use would do nothing but refresh.
      .constraint({{"tRFC", "tRC", "ranks", "tREFI"},
                   "refreshes must leave time for accesses: ranks x (tRFC + tRC) must be at most half of tREFI",
                   [](const ParameterValues& v) {
                     return 2 * v.get("ranks") * (v.get("tRFC") + v.get("tRC")) <= v.get("tREFI");
                   }})
      .constraint({{"write_batch", "queue"},
                   "write_batch must be less than queue, or writes would wait for ever",
                   [](const ParameterValues& v) { return v.get("write_batch") < v.get("queue"); }});
}

Table make_table() {
  Table table("dram", "DRAM");
  for (const auto add : {add_organization, add_timings, add_controller, add_constraints}) add(table);
  return table;
}

/// A constant.
const Table& table() {
  static const Table made = make_table();
  return made;
}

std::vector<Mapping> make_mappings() {
  std::array<Field, 5> order{Field::row, Field::rank, Field::bank, Field::group, Field::column};
  std::vector<Mapping> all;
  do {
    all.push_back({order[0], order[1], order[2], order[3], order[4]});
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

}  // namespace

std::string text_of(const Mapping& mapping) {
  std::string text;
  for (const Field field : mapping.fields()) {
    if (!text.empty()) text += ':';
    text += field_names[static_cast<std::size_t>(field)];
  }
  return text;
}

const std::vector<Mapping>& all_mappings() {
  static const std::vector<Mapping> all = make_mappings();
  return all;
}

std::shared_ptr<const arch::MachineDescription> description() {
  return table().description();
}

Parameters parameters_from(const ParameterValues& values) {
  return table().machine(values);
}

ParameterValues values_of(const Parameters& parameters) {
  return table().values(parameters);
}

std::string contradiction(const Parameters& parameters) {
  Diagnostics diagnostics;
  if (values_of(parameters).check(diagnostics)) return {};
  return diagnostics.items().front().text();
}

}  // namespace convscope::dram
