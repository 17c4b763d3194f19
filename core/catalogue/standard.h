#pragma once
// The list of targets and of readers, in one file: a new one is added here and nowhere else.

#include "core/catalogue/catalogue.h"

namespace convscope::catalogue {

std::vector<std::shared_ptr<const target::Target>> standard_targets();
std::vector<Reader> standard_readers();

/// All of them: what the programs are made of.
CataloguePointer standard();

}  // namespace convscope::catalogue
