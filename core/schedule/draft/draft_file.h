#pragma once
// Drafts as files (docs/draft.md): work that must not be lost, and what a lab's submission holds.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/schedule/draft/draft.h"

namespace convscope::schedule {

/// What a draft schedules, so that a reader finds the problem again: names for people and programs, none of them
/// believed.
struct DraftOrigin {
  std::string network, target, level, layer;
  int program = 0;  ///< of the layer, from 0
  bool operator==(const DraftOrigin&) const = default;
};

/// A placed operation: its position in the problem, and its name there, which must agree.
struct FilePlace {
  int operation = 0;
  std::string name;
  std::int64_t cycle = 0;
  bool operator==(const FilePlace&) const = default;
};

/// A file's content; well-formed, but not yet held against any problem.
struct DraftFile {
  DraftOrigin origin;
  std::optional<std::uint64_t> problem_hash;  ///< nothing: the file was written by hand and doesn't say
  std::int64_t interval = 1;
  std::vector<FilePlace> placed;
  bool operator==(const DraftFile&) const = default;
};

/// With a leading dot, as file names end.
inline constexpr char draft_extension[] = ".draft.json";

DraftFile file_of(const Draft& draft, DraftOrigin origin);
std::string write_draft_file(const DraftFile& file);

/// Whether a text may be a draft file, by its beginning.
bool is_draft_file(std::string_view text);
/// Refuses, with every mistake that is found: what is no JSON or too large, another format or version, members that are
/// missing or unknown, an interval, operation or cycle beyond its limits, an operation that comes twice.
std::optional<DraftFile> read_draft_file(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// The draft of a file for a problem. Refuses operations that the problem doesn't have or has under another name; a
/// problem with another hash, whose operations all agree, is a warning. Rules may be broken: see draft_rules.h.
std::optional<Draft> draft_of(const DraftFile& content, std::shared_ptr<const DraftProblem> problem,
                              const std::string& file, Diagnostics& diagnostics);

}  // namespace convscope::schedule
