#pragma once
// What a teacher wants to know before anybody works on a lab.

#include <string>

#include "core/labs/figures.h"

namespace convscope::labs {

/// Computes the figures that the requirements read, on the lab's machine; a warning, with the line in the lab's file,
/// for each that has no value there. Programs, tilings and answers are nobody's yet. Throws Cancelled.
void try_lab(const OpenLab& lab, const Workshop& workshop, Diagnostics& diagnostics);

}  // namespace convscope::labs
