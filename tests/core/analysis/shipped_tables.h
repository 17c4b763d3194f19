#pragma once
// The published tables as they are shipped.

#include <gtest/gtest.h>

#include "core/analysis/published_reader.h"

namespace convscope::analysis {

inline PublishedTables shipped() {
  Diagnostics diagnostics;
  PublishedTables tables = PublishedTables::load(CONVSCOPE_SOURCE_DIR "/resources/published", diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  return tables;
}

}  // namespace convscope::analysis
