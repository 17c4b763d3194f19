// Any bytes as a submission to a lab: one that is written and read back alike, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/labs/submission.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;
namespace lab_files = convscope::labs;  // `labs` is a function of the C library

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto read = lab_files::read_submission(text, "fuzz.xml", diagnostics);
  require(read.has_value() != diagnostics.has_errors(), "a submission or an error");
  if (!read) return 0;
  const auto again = lab_files::read_submission(lab_files::write_submission(*read), "again.xml", diagnostics);
  require(again && *again == *read, "what is written reads back alike");
  return 0;
}
