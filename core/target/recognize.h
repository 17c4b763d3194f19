#pragma once
// Whose program a file is, judged by its beginning.

#include <string_view>
#include <vector>

namespace convscope::target {

/// What tells a language's assembly from other texts.
struct AssemblyMarks {
  std::string_view naming;               ///< the directive that names a program, in quotes
  std::vector<std::string_view> others;  ///< directives of which every program has one
};

/// Whether a text has a line with the naming directive and its quoted name, and another line with one of the other
/// directives. Comments and mistakes may stand between them.
bool is_assembly(std::string_view content, const AssemblyMarks& marks);

/// Whether a text begins as a JSON object and names the schema.
bool is_program_file(std::string_view content, std::string_view schema);

}  // namespace convscope::target
