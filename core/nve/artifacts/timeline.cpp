#include <algorithm>
#include <tuple>

#include "core/nve/artifacts/program_view.h"

namespace convscope::nve {
namespace {

using artifact::TimelineCell;
using artifact::TimelineSection;

TimelineCell loop_cell(const IssuedOperation& issued, const ProgramView& view, const IssueFields& fields, int first) {
  const LoopOperation& o = view.scheduled.loop.operations[static_cast<std::size_t>(issued.operation)];
  return {fields.index(issued.field), issued.address - first,        1, operation_key(o, view.group), issued.stage,
          operation_class(o.kind),    operation_label(o, view.group)};
}

TimelineSection& section_of(int address, const Program& program, std::vector<TimelineSection>& sections) {
  return sections[address >= program.initial_size ? 2 : address >= program.prologue_begin ? 1 : 0];
}

// Writes of the initial part take the stream's items in the order of their addresses, with the prologue's own between.
void add_initial_writes(const ProgramView& view, const IssueFields& fields, std::vector<TimelineSection>& sections) {
  std::vector<std::pair<int, bool>> writes;  // address, initial
  for (const IssuedOperation& issued : view.scheduled.emitted.issued) {
    if (issued.address >= view.program.initial_size) continue;
    const bool initial = issued.operation < 0;
    if (initial || view.scheduled.loop.operations[static_cast<std::size_t>(issued.operation)].kind ==
                       LoopOperationKind::write_pixels)
      writes.emplace_back(issued.address, initial);
  }
  std::sort(writes.begin(), writes.end());
  const std::vector<StreamWord>& items = view.program.initial.stream;
  const int field = fields.index(view.program.machine.has_write_port() ? Field::memw : Field::mema);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (!writes[i].second) continue;
    TimelineSection& section = section_of(writes[i].first, view.program, sections);
    section.cells.push_back({field, writes[i].first - section.first_address, 1, initial_write_key(items[i], view.group),
                             0, artifact::OperationClass::write, initial_write_label(items[i], view)});
  }
}

// Each column has a head and its passes: sections of their own, as often as there are columns.
void repeat_columns(const Program& p, std::vector<TimelineSection>& sections) {
  TimelineSection pass{"pass", p.pass_size, p.passes, p.initial_size + p.head_size(), 0, {}};
  TimelineSection head = std::move(sections.back());
  sections.pop_back();
  std::vector<TimelineCell> cells = std::move(head.cells);
  head.cells.clear();
  head.name = "head", head.length = p.head_size(), head.repeats = 1;
  for (TimelineCell& cell : cells) {
    TimelineSection& section = cell.begin < head.length ? head : pass;
    if (&section == &pass) cell.begin -= head.length;
    section.cells.push_back(std::move(cell));
  }
  for (int column = 0; column < p.iterations; ++column) {
    for (TimelineSection* const each : {&head, &pass}) {
      each->first_iteration = column;
      sections.push_back(*each);
    }
  }
}

// Sums of the last column leave; its operations are those of heads, once more.
TimelineSection final_section(const ProgramView& view, const IssueFields& fields) {
  const Program& p = view.program;
  TimelineSection section{"final", p.final_size, 1, std::int64_t{p.initial_size} + p.repeat_size, p.iterations, {}};
  std::size_t output = 0;
  for (int i = 0; i < p.final_size; ++i) {
    const auto instruction = decode(p.words[static_cast<std::size_t>(section.first_address + i)], p.machine);
    LoopOperation o;
    o.stretch = 2;
    const auto add = [&](Field field) {
      o.field = field;
      section.cells.push_back({fields.index(field), i, 1, operation_key(o, view.group), 0, operation_class(o.kind),
                               operation_label(o, view.group)});
    };
    if (instruction->vector == VectorOperation::set_bias) {
      o.kind = LoopOperationKind::set_bias, o.map = instruction->accumulator;
      add(Field::vmac);
    }
    if (!instruction->activate) continue;
    o.kind = LoopOperationKind::activate;
    o.half = instruction->half, o.map = p.final.outputs[output++].map;
    add(Field::act);
  }
  return section;
}

}  // namespace

std::shared_ptr<const artifact::Timeline> make_timeline(const ProgramView& view) {
  const Program& p = view.program;
  const IssueFields fields(p.machine);
  std::vector<TimelineSection> sections{
      {"initial", p.prologue_begin, 1, 0, -1, {}},
      {"prologue", p.initial_size - p.prologue_begin, 1, p.prologue_begin, 0, {}},
      {"steady state", p.repeat_size, p.iterations, p.initial_size, 0, {}},
  };
  for (const IssuedOperation& issued : view.scheduled.emitted.issued) {
    if (issued.operation < 0) continue;
    TimelineSection& section = section_of(issued.address, p, sections);
    section.cells.push_back(loop_cell(issued, view, fields, static_cast<int>(section.first_address)));
  }
  add_initial_writes(view, fields, sections);
  if (p.passes > 0) repeat_columns(p, sections);
  if (view.scheduled.looped()) sections.push_back(final_section(view, fields));
  for (TimelineSection& section : sections)
    std::sort(section.cells.begin(), section.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
      return std::tie(a.begin, a.resource) < std::tie(b.begin, b.resource);
    });
  return std::make_shared<artifact::Timeline>(fields.names(), std::move(sections));
}

}  // namespace convscope::nve
