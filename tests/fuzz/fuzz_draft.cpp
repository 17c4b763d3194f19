// Any bytes as a draft: one that is written and read back alike, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/schedule/draft/draft_file.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;
namespace schedule = convscope::schedule;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto made =
      schedule::DraftProblem::make({{{"port", 1}}, {{"a", {{0, 0}}}, {"b", {{0, 0}}}}, {{0, 1, 1}}});
  const auto& problem = std::get<std::shared_ptr<const schedule::DraftProblem>>(made);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto read = schedule::read_draft_file(text, "fuzz.draft.json", diagnostics);
  require(read.has_value() != diagnostics.has_errors(), "a draft or an error");
  if (!read) return 0;
  const auto again = schedule::read_draft_file(schedule::write_draft_file(*read), "again.draft.json", diagnostics);
  require(again && *again == *read, "what is written reads back alike");
  const auto draft = schedule::draft_of(*read, problem, "fuzz.draft.json", diagnostics);
  require(draft.has_value() != diagnostics.has_errors(), "a draft of the problem or an error");
  return 0;
}
