#include <algorithm>

#include <fmt/format.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/artifacts/program_view.h"

namespace convscope::nmp {
namespace {

const char* purpose_of(CodeRange::Kind kind) {
  switch (kind) {
    case CodeRange::Kind::setup:
      return "set-up";
    case CodeRange::Kind::loop:
      return "loops";
    case CodeRange::Kind::input:
      return "IN";
    case CodeRange::Kind::weights:
      return "W";
    case CodeRange::Kind::partial_sums:
      return "partial sums";
    case CodeRange::Kind::compute:
      return "MACs";
    case CodeRange::Kind::store:
      return "OUT";
    case CodeRange::Kind::end:
      return "end";
  }
  return "";
}

/// Ranges are sorted.
const char* purpose_at(const Program& program, int instruction) {
  const auto after = std::upper_bound(program.ranges.begin(), program.ranges.end(), instruction,
                                      [](int at, const CodeRange& range) { return at < range.first; });
  if (after == program.ranges.begin()) return "";
  const CodeRange& range = *std::prev(after);
  return instruction < range.first + range.count ? purpose_of(range.kind) : "";
}

}  // namespace

std::shared_ptr<const artifact::Listing> make_listing(const Program& program) {
  constexpr std::int64_t code_word_bytes = 4;
  auto listing = std::make_shared<artifact::Listing>();
  listing->columns = {"instruction", "for"};
  for (std::size_t i = 0; i < program.code.size(); ++i)
    listing->lines.push_back({static_cast<std::int64_t>(i) * code_word_bytes,
                              "all TLTs",
                              fmt::format("{:08x}", program.code[i]),
                              {{instruction_text(program.code[i]), 0}, {purpose_at(program, static_cast<int>(i)), 0}}});
  listing->assembly = print_assembly(program);
  return listing;
}

}  // namespace convscope::nmp
