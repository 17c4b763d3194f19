// Any bytes as a report: a run that can be compared with itself, whose figures are all the same, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/analysis/report_reader.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;
namespace analysis = convscope::analysis;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto run = analysis::read_report(text, "fuzz", {}, diagnostics);
  require(run.has_value() != diagnostics.has_errors(), "a run or an error");
  if (!run) return 0;
  const analysis::RunComparison comparison = analysis::compare_runs(*run, *run);
  require(comparison.layers.size() == run->layers.size(), "each layer is compared with itself");
  for (const auto& figure : comparison.total)
    require(figure.verdict == analysis::Verdict::same, "a run is its own equal");
  require(!analysis::comparison_json(*run, *run, comparison).empty(), "JSON can be written");
  require(!analysis::comparison_csv(comparison).empty(), "CSV can be written");
  require(!analysis::comparison_text(*run, *run, comparison).empty(), "text can be written");
  return 0;
}
