#include "core/dram/simulate/timeline.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::dram {
namespace {

using artifact::OperationClass;
using artifact::TimelineCell;

std::vector<std::string> bank_names(const Organization& o) {
  std::vector<std::string> names;
  for (int channel = 0; channel < o.channels; ++channel)
    for (int rank = 0; rank < o.ranks; ++rank)
      for (int bank = 0; bank < o.banks; ++bank)
        names.push_back((o.channels > 1 ? fmt::format("channel {} ", channel) : "") +
                        fmt::format("rank {} bank {}", rank, bank));
  return names;
}

std::int64_t length_of(CommandKind kind, const Parameters& p) {
  if (kind == CommandKind::activate) return p.timings.tRCD;
  if (kind == CommandKind::precharge) return p.timings.tRP;
  return kind == CommandKind::refresh ? p.timings.tRFC : p.organization.burst_cycles();
}

OperationClass class_of(CommandKind kind) {
  if (kind == CommandKind::read) return OperationClass::read;
  if (kind == CommandKind::write) return OperationClass::write;
  return kind == CommandKind::refresh ? OperationClass::other : OperationClass::control;
}

std::string label_of(const Command& c) {
  if (c.kind == CommandKind::activate) return fmt::format("activate {}", c.row);
  if (c.kind == CommandKind::read) return "read";
  if (c.kind == CommandKind::write) return "write";
  return c.kind == CommandKind::precharge ? "precharge" : "refresh";
}

}  // namespace

std::shared_ptr<const artifact::Timeline> make_timeline(const std::vector<Command>& log, const Parameters& p) {
  if (log.empty()) return nullptr;
  const Organization& o = p.organization;
  artifact::TimelineSection section;
  section.name = "commands";
  section.first_iteration = -1;
  for (const Command& c : log) {
    const int first = (c.channel * o.ranks + c.rank) * o.banks;
    const bool all = c.kind == CommandKind::refresh;
    for (int bank = all ? 0 : c.bank; bank < (all ? o.banks : c.bank + 1); ++bank) {
      TimelineCell cell;
      cell.resource = first + bank;
      cell.begin = c.cycle;
      cell.length = length_of(c.kind, p);
      cell.operation = static_cast<artifact::OperationKey>(section.cells.size()) + 1;  // 0 is none
      cell.kind = class_of(c.kind);
      cell.label = label_of(c);
      section.length = std::max(section.length, cell.begin + cell.length);
      section.cells.push_back(std::move(cell));
    }
  }
  std::stable_sort(section.cells.begin(), section.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.resource < b.resource;
  });
  return std::make_shared<const artifact::Timeline>(bank_names(o), std::vector{std::move(section)});
}

}  // namespace convscope::dram
