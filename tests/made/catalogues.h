#pragma once
// Catalogues with other targets than the standard ones.

#include <memory>
#include <utility>
#include <vector>

#include "core/catalogue/standard.h"

namespace convscope::made {

/// These targets, and every reader there is.
inline catalogue::CataloguePointer catalogue_of(std::vector<std::shared_ptr<const target::Target>> targets) {
  return std::make_shared<const catalogue::Catalogue>(
      catalogue::Catalogue{std::move(targets), catalogue::standard_readers()});
}

}  // namespace convscope::made
