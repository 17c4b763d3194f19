#include "app/cli/published.h"

#include "core/base/resources.h"

namespace convscope::cli {

analysis::PublishedTables load_published(Diagnostics& diagnostics) {
  return analysis::PublishedTables::load(resource_path("published"), diagnostics);
}

}  // namespace convscope::cli
