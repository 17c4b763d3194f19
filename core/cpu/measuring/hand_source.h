#pragma once
// A program that somebody wrote for a problem, as measured by `measure --source`.

#include <optional>
#include <string>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/generated.h"

namespace convscope::cpu {

/// Reads the file. Layouts stand in its first comment as in generated texts, one line each ("//   image   HWC");
/// without them they are HWC, MYXC, HWM. Nothing, with diagnostics, if the file can't be read, is larger than 4 MiB, or
/// names a layout that is none. Nobody looks at the rest of it but the compiler.
std::optional<Generated> read_hand_source(const std::string& path, Family family, Diagnostics& diagnostics);

}  // namespace convscope::cpu
