#pragma once
// Assembly text and program files: both hold a whole Program and round-trip exactly.
// Assembly is for people (docs/nve-encoding.md has the grammar); the program file is JSON with encoded words.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nve/architecture/program.h"

namespace convscope::nve {

std::string print_assembly(const Program& program);
/// All mistakes are collected with their line; nothing is returned if there was one. `lines`, if given, gets the line
/// of each instruction, 1-based.
std::optional<Program> parse_assembly(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                      std::vector<int>* lines = nullptr);

std::string write_program_file(const Program& program);
/// Refuses what is malformed, inconsistent (sizes, positions out of range) or beyond the machine's ranges.
std::optional<Program> read_program_file(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// Either of the two, recognized by content; `lines` as above, and empty after a program file.
std::optional<Program> read_any_program(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                        std::vector<int>* lines = nullptr);

/// The operations of an instruction as text, one per field of the machine ("" if none), e.g. "rd 3+2c", "set ri 0".
std::string field_text(const Instruction& instruction, Field field);

}  // namespace convscope::nve
