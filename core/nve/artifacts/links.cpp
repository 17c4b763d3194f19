#include <algorithm>
#include <map>

#include "core/nve/artifacts/program_view.h"

namespace convscope::nve {
namespace {

// Every word that an access can touch over its iterations.
std::vector<std::int64_t> words_of(const MemoryField& access, const Program& p) {
  std::vector<std::int64_t> words;
  if (access.kind == MemoryKindOfAccess::none) return words;
  if (!access.circular || p.increment <= 0) return {access.offset + access.update};
  for (int update = 0; update < p.toggle; update += p.increment) words.push_back(access.offset + update);
  return words;
}

void note(artifact::OperationPlace& place, const artifact::TimelineSection& section, const artifact::TimelineCell& cell,
          const Program& p) {
  const std::int64_t address = section.first_address + cell.begin;
  place.operation = cell.operation;
  place.addresses.push_back(address);
  if (section.first_address == p.initial_size && section.length == p.repeat_size) {
    place.steady_cycle = cell.begin;
    place.stage = cell.stage;
  } else if (p.passes > 0 && address >= p.initial_size && address < p.initial_size + p.repeat_size) {
    place.steady_cycle = address - p.initial_size;
    place.stage = cell.stage;
  }
  const Field field = IssueFields(p.machine).at(cell.resource);
  if (field > Field::memw) return;
  const auto instruction = decode(p.words[static_cast<std::size_t>(address)], p.machine);
  for (std::int64_t word : words_of(instruction->memory(field), p)) place.words.push_back({local_buffer_memory, word});
}

template <typename Value>
void sort_unique(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::shared_ptr<const artifact::Links> make_links(const ProgramView& view) {
  const auto timeline = make_timeline(view);
  std::map<artifact::OperationKey, artifact::OperationPlace> places;
  for (const artifact::TimelineSection& section : timeline->sections())
    for (const artifact::TimelineCell& cell : section.cells) note(places[cell.operation], section, cell, view.program);
  std::vector<artifact::OperationPlace> list;
  for (auto& [key, place] : places) {
    sort_unique(place.addresses);
    sort_unique(place.words);
    list.push_back(std::move(place));
  }
  return std::make_shared<artifact::Links>(std::move(list));
}

}  // namespace convscope::nve
