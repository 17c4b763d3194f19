#include <unordered_map>

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/artifacts/program_view.h"

namespace convscope::nve {
namespace {

std::string hexadecimal(const EncodedWord& word, int bits) {
  const int digits = (bits + 3) / 4;
  if (digits <= 16) return fmt::format("{:0{}x}", word[0], digits);
  return fmt::format("{:0{}x}{:016x}", word[1], digits - 16, word[0]);
}

std::string section_name(int address, const Program& program) {
  if (address < program.prologue_begin) return "initial";
  if (address < program.initial_size) return "prologue";
  if (address < program.initial_size + program.repeat_size) return "steady state";
  return "epilogue";
}

}  // namespace

std::shared_ptr<const artifact::Listing> make_listing(const ProgramView& view) {
  const Program& p = view.program;
  auto listing = std::make_shared<artifact::Listing>();
  const auto timeline = make_timeline(view);
  const IssueFields fields(p.machine);
  std::unordered_map<std::int64_t, artifact::OperationKey> keys;  // address * fields + field
  for (const artifact::TimelineSection& section : timeline->sections())
    for (const artifact::TimelineCell& cell : section.cells)
      keys[(section.first_address + cell.begin) * fields.count() + cell.resource] = cell.operation;
  listing->columns = fields.names();
  const int bits = instruction_bits(p.machine);
  for (std::size_t address = 0; address < p.words.size(); ++address) {
    const auto instruction = decode(p.words[address], p.machine);
    artifact::ListingLine line{static_cast<std::int64_t>(address),
                               section_name(static_cast<int>(address), p),
                               hexadecimal(p.words[address], bits),
                               {}};
    for (int i = 0; i < fields.count(); ++i) {
      const auto key = keys.find(static_cast<std::int64_t>(address) * fields.count() + i);
      line.fields.push_back({field_text(*instruction, fields.at(i)), key == keys.end() ? 0 : key->second});
    }
    listing->lines.push_back(std::move(line));
  }
  listing->assembly = print_assembly(p);
  return listing;
}

}  // namespace convscope::nve
