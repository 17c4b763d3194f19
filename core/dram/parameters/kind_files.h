#pragma once
// The files of resources/dram as text, compiled in: a machine's description must not depend on files that may be
// absent.

#include <span>
#include <string_view>

namespace convscope::dram {

std::span<const std::string_view> kind_files();

}  // namespace convscope::dram
