#pragma once
// The published tables that come with the application.

#include "core/analysis/published.h"

namespace convscope::cli {

analysis::PublishedTables load_published(Diagnostics& diagnostics);

}  // namespace convscope::cli
