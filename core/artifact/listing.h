#pragma once
// A program as lines.

#include <cstdint>
#include <string>
#include <vector>

#include "core/artifact/ref.h"

namespace convscope::artifact {

struct ListingField {
  std::string text;            ///< empty if the field does nothing
  OperationKey operation = 0;  ///< 0 if none
};

struct ListingLine {
  std::int64_t address = 0;
  std::string section;               ///< "initial", "prologue", "steady state", "epilogue"
  std::string encoding;              ///< hexadecimal
  std::vector<ListingField> fields;  ///< one per column
};

struct Listing {
  std::vector<std::string> columns;  ///< names of the fields
  std::vector<ListingLine> lines;
  std::string assembly;  ///< the same program as a text that the assembler reads back
};

}  // namespace convscope::artifact
