// Any bytes as a session: one that is written and read back alike, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/nve/architecture/machine.h"
#include "core/session/session_file.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;
namespace session = convscope::session;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const convscope::arch::ParameterValues start(convscope::nve::machine_description());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto read = session::read_session(text, "fuzz.convscope", diagnostics);
  require(read.has_value() != diagnostics.has_errors(), "a session or an error");
  if (!read) return 0;
  const auto values = session::machine_values(read->machine, start, "fuzz.convscope", diagnostics);
  require(!diagnostics.has_errors(), "parameters are warned about");
  for (std::size_t i = 0; i < values.description().parameters.size(); ++i) {
    require(!convscope::arch::range_violation(values.description().parameters[i], values.at(i)), "values in range");
  }
  const std::string written = session::write_session(*read);
  const auto again = session::read_session(written, "again.convscope", diagnostics);
  require(again && *again == *read, "what is written reads back alike");
  return 0;
}
