#pragma once
// Assembly text and program files: both hold a whole Program and round-trip exactly.
// Assembly is for people (docs/snowflake-encoding.md has the grammar); the program file is JSON
// (docs/snowflake-program.md).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

std::string print_assembly(const Program& program);
/// All mistakes are collected with their line; nothing is returned if there was one. `lines`, if given, gets the line
/// of each instruction, 1-based.
std::optional<Program> parse_assembly(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                      std::vector<int>* lines = nullptr);

std::string write_program_file(const Program& program);
/// Refuses what is malformed, inconsistent (places outside their region, blocks outside the code) or beyond the caps.
std::optional<Program> read_program_file(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// Either of the two, recognized by content; `lines` as above, and empty after a program file.
std::optional<Program> read_any_program(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                        std::vector<int>* lines = nullptr);

/// One instruction as assembly writes it, e.g. "mac.coop.wb r4, r5, r6, 64"; ".word 0x…" if no other text stands for
/// exactly these bits. A branch goes to `label`, or if that is empty to an offset such as ".+5".
std::string instruction_text(EncodedInstruction word, const std::string& label = {});

}  // namespace convscope::snowflake
