#pragma once
// The tables and figure 4 of "Compiling Deep Learning Models for Custom Hardware Accelerators", one function each, on
// preset snowflake-zc706. All return nothing, with diagnostics, if something that they need is missing, and throw
// Cancelled if stopped.

#include "core/figures/figure.h"

namespace convscope::figures {

/// Table 1: four convolutions of AlexNet, each a program of its own, beside generated code and code by hand.
std::optional<Figure> snowflake_table1(const Environment& environment, Diagnostics& diagnostics);
/// Table 2: three networks, each one program, without what their fully connected layers take.
std::optional<Figure> snowflake_table2(const Environment& environment, Diagnostics& diagnostics);
/// Table 3: speed by the balance of the load units.
std::optional<Figure> snowflake_table3(const Environment& environment, Diagnostics& diagnostics);
/// Fig. 4: the bandwidth that layers require with maps repeated and with kernels repeated.
std::optional<Figure> snowflake_figure4(const Environment& environment, Diagnostics& diagnostics);
/// What each assumption beyond the paper is worth: tables 1 and 2 with one of them changed at a time.
std::optional<Figure> snowflake_ablations(const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
