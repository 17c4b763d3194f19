#pragma once
// What can be said of a DRAM: how it is organized, its timings, and the policies of its controller. No target is named
// here, so that every target can use it. Timings are named as in the JEDEC standards (JESD79-3, -4, JESD209-3, -4).

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/parameters.h"

namespace convscope::dram {

/// Parts of an address within a channel.
enum class Field { row, rank, bank, group, column };

/// The fields of an address from its highest bits to its lowest.
struct Mapping {
  Field highest = Field::row, high = Field::rank, middle = Field::bank, low = Field::group, lowest = Field::column;
  bool operator==(const Mapping&) const = default;
  std::array<Field, 5> fields() const { return {highest, high, middle, low, lowest}; }
};

/// "row:rank:bank:group:column".
std::string text_of(const Mapping& mapping);
/// Every order of the five fields, that of the default first.
const std::vector<Mapping>& all_mappings();

struct Organization {
  int bus_bits = 64;           ///< data lines of a channel
  int burst_length = 8;        ///< beats of one access, two each clock cycle
  double clock_hz = 1.6e9;     ///< command clock, half the data rate
  int channels = 1;            ///< each with its own bus and controller
  int interleave_bytes = 256;  ///< neighbouring bytes that lie in one channel
  int ranks = 1;               ///< of a channel; they share its bus
  int groups = 4;              ///< bank groups of a rank
  int banks = 16;              ///< of a rank, in all groups
  int rows = 65536;            ///< of a bank
  int row_bytes = 8192;        ///< of one row of one bank, over all devices of a rank
  Mapping mapping;

  /// Bytes of one access: what the bus moves in one burst.
  int line_bytes() const { return bus_bits / 8 * burst_length; }
  /// Cycles that an access keeps the data bus busy.
  int burst_cycles() const { return burst_length / 2; }
  /// Bytes per second of all channels while they do nothing but transfer.
  double peak() const { return 2.0 * channels * bus_bits / 8 * clock_hz; }
  bool operator==(const Organization&) const = default;
};

/// Cycles of the command clock.
struct Timings {
  int tRCD = 22;                ///< activate to read or write
  int tRP = 22;                 ///< precharge to activate
  int tRAS = 52;                ///< activate to precharge
  int tRC = 74;                 ///< activate to activate of a bank
  int CL = 22;                  ///< read to its first data
  int CWL = 16;                 ///< write to its first data
  int tWR = 24;                 ///< last data written to precharge
  int tWTR_S = 4, tWTR_L = 12;  ///< last data written to read: another bank group, the same one
  int tRTP = 12;                ///< read to precharge
  int tCCD_S = 4, tCCD_L = 8;   ///< access to access of one kind
  int tRRD_S = 4, tRRD_L = 8;   ///< activate to activate of other banks
  int tFAW = 34;                ///< window that may hold four activates of a rank
  int tRFC = 560;               ///< refresh to activate
  int tREFI = 12480;            ///< refresh to refresh of a rank
  int rank_switch = 1;          ///< cycles that the bus idles when another rank takes it
  bool operator==(const Timings&) const = default;
};

/// What becomes of a row that nobody waits for.
enum class Page {
  open,   ///< it stays open
  closed  ///< the last access to it closes it
};

struct Controller {
  int in_flight = 0;    ///< reads that are asked and not answered yet; 0: as many as the queues take
  int queue = 32;       ///< reads that wait to be given to a bank, and as many writes
  int bank_queue = 8;   ///< accesses that wait at each bank
  int row_hits = 4;     ///< a row serves as many before an older access to another row of its bank may close it
  int write_batch = 8;  ///< of writes that wait while nothing else does, more than these are served
  Page page = Page::open;
  bool operator==(const Controller&) const = default;
};

struct Parameters {
  Organization organization;
  Timings timings;
  Controller controller;
  bool operator==(const Parameters&) const = default;
};

/// All parameters with ranges, help, and the constraints by which a DRAM that contradicts itself is refused.
std::shared_ptr<const arch::MachineDescription> description();

Parameters parameters_from(const arch::ParameterValues& values);
arch::ParameterValues values_of(const Parameters& parameters);

/// Empty if parameters are in range and agree with one another, else the first thing that is wrong.
std::string contradiction(const Parameters& parameters);

/// A kind of DRAM that can be bought, e.g. "DDR4-3200".
struct Kind {
  std::string name, title;
  Parameters parameters;
};

/// Those of resources/dram, in the order of their names; a constant.
const std::vector<Kind>& kinds();
/// Asserts that there is one of this name.
const Parameters& kind(std::string_view name);

}  // namespace convscope::dram
