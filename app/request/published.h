#pragma once
// The published tables that come with the application.

#include "core/analysis/published.h"

namespace convscope::request {

analysis::PublishedTables load_published(Diagnostics& diagnostics);

}  // namespace convscope::request
