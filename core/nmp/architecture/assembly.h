#pragma once
// Assembly text and program files: both hold a whole Program and round-trip exactly. Assembly is for people, the
// program file is JSON; docs/nmp-program.md has both.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

std::string print_assembly(const Program& program);
/// All mistakes are collected with their line, those of a member with that of its directive; nothing is returned if
/// there was one. `lines`, if given, gets the line of each instruction, 1-based.
std::optional<Program> parse_assembly(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                      std::vector<int>* lines = nullptr);
/// Instructions alone, labels and comments as in a program's assembly.
std::optional<std::vector<EncodedInstruction>> assemble(std::string_view text, const std::string& file,
                                                        Diagnostics& diagnostics);

std::string write_program_file(const Program& program);
/// Refuses what is malformed, inconsistent (places outside their region, ranges outside the code) or beyond the caps.
std::optional<Program> read_program_file(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// Either of the two, recognized by content; `lines` as above, and empty after a program file.
std::optional<Program> read_any_program(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                        std::vector<int>* lines = nullptr);

/// One instruction as assembly writes it, e.g. "nmp_load3d 0, x5, x6, 1, multicast"; ".word 0x…" if the word is none.
/// A branch goes to `label`, or if that is empty to an offset such as ".+8".
std::string instruction_text(EncodedInstruction word, const std::string& label = {});

}  // namespace convscope::nmp
