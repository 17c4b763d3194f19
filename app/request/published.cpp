#include "app/request/published.h"

#include "core/base/resources.h"

namespace convscope::request {

analysis::PublishedTables load_published(Diagnostics& diagnostics) {
  return analysis::PublishedTables::load(resource_path("published"), diagnostics);
}

}  // namespace convscope::request
