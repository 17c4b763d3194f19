#pragma once
// What `compile -o DIR` writes:
//   DIR/index.json                        what was compiled, and the files of each layer's programs
//   DIR/<layer>.<program>.<target>.json   self-contained program file
//   DIR/<layer>.<program>.s               assembly
//   DIR/<layer>.<program>.memory.csv      memory map
//   DIR/<layer>.<program>/                generated source with what others need to build it into their programs
//   DIR/network.<program>.…               the same of linked programs, if the target links layers

#include <string>
#include <vector>

#include "core/engine/engine.h"

namespace convscope::cli {

/// Writes layers that were compiled and mapped, each file atomically, the index last. Layers are those of `only_layers`
/// (empty: all). False, with diagnostics, if a file could not be written, or is one of the `inputs`.
bool write_program_folder(const engine::CompiledNetwork& compiled, const std::vector<int>& only_layers,
                          const std::string& folder, const std::vector<std::string>& inputs, Diagnostics& diagnostics);

std::string index_path(const std::string& folder);

/// A layer's name as a part of a file name: letters, digits, '.', '-' and '_' stay, anything else becomes '_'.
std::string file_stem(const std::string& layer);

/// memory,capacity,word_bits,block,kind,first_word,words,live_from,live_to
std::string memory_map_csv(const artifact::MemoryMap& map);

}  // namespace convscope::cli
