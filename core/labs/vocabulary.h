#pragma once
// The names that a lab's requirements may use.

#include <string>

#include "core/base/diagnostic.h"
#include "core/labs/open_lab.h"

namespace convscope::labs {

/// An error, with the line in `file`, for each name of a requirement that no figure has.
void check_names(const OpenLab& lab, const std::string& file, Diagnostics& diagnostics);

}  // namespace convscope::labs
