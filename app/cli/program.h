#pragma once
// The command line as a function of what the program can work with.

#include "core/catalogue/catalogue.h"

namespace convscope::cli {

/// Does what the arguments say (the first is the program's name), with stdout and stderr; the exit code.
int run_program(int argc, char** argv, catalogue::CataloguePointer catalogue);

}  // namespace convscope::cli
