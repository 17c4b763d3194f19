#pragma once
// What a student hands in: one file. Nothing in it is believed: whoever grades it compiles, verifies and runs again.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/labs/lab.h"

namespace convscope::labs {

struct Answer {
  std::string question, text;
  bool operator==(const Answer&) const = default;
};

/// Assembly or the text of a program file.
struct HandedProgram {
  std::string name, text;
  int line = 0;  ///< of its first line in the submission's file
  bool operator==(const HandedProgram& other) const { return name == other.name && text == other.text; }
};

struct TileSizeSet {
  std::string name;
  std::int64_t value = 0;
  bool operator==(const TileSizeSet&) const = default;
};

struct HandedTiling {
  std::string name, strategy;
  std::vector<TileSizeSet> sizes;
  int line = 0;
  bool operator==(const HandedTiling& other) const {
    return name == other.name && strategy == other.strategy && sizes == other.sizes;
  }
};

/// How many hints of a task were opened: what the submission says, and nobody can prove.
struct OpenedHints {
  std::string task;
  int count = 0;
  bool operator==(const OpenedHints&) const = default;
};

struct Submission {
  std::string lab = {};                     ///< its name
  std::string hash = {};                    ///< of the lab's file that it was made for; empty: not stated
  std::string by = {};                      ///< whose it is, as it says; may be empty
  std::string level = {};                   ///< empty: the lab's
  std::vector<Assignment> parameters = {};  ///< that differ from the lab's machine
  std::vector<Answer> answers = {};
  std::vector<HandedProgram> programs = {};
  std::vector<HandedTiling> tilings = {};
  std::vector<OpenedHints> hints = {};  ///< of tasks of which some were opened
  bool operator==(const Submission&) const = default;

  /// Nothing if the question is not answered.
  const Answer* answer(std::string_view question) const;
  /// 0 if none were opened.
  int opened_hints(std::string_view task) const;
};

/// Largest file that is read, in bytes.
inline constexpr std::size_t largest_submission = std::size_t{4} << 20;

/// Reads
///   <submission lab="…" hash="…" by="…">
///     <machine level="…"><parameter name="lanes" value="32"/></machine>
///     <answer question="…">13.7</answer>
///     <program name="…"><![CDATA[ … ]]></program>
///     <tiling name="…" strategy="…"><size name="T_R" value="4"/></tiling>
///     <hints task="…" opened="2"/>
///   </submission>
/// Nothing, with a diagnostic for every mistake, if there is one.
std::optional<Submission> read_submission(std::string_view xml, const std::string& file, Diagnostics& diagnostics);

/// As `read_submission`, from a file.
std::optional<Submission> load_submission(const std::string& path, Diagnostics& diagnostics);

/// Reads back alike.
std::string write_submission(const Submission& submission);

/// Replaces the file as a whole: whatever happens, the old or the new submission is there.
bool save_submission(const Submission& submission, const std::string& path, Diagnostics& diagnostics);

}  // namespace convscope::labs
