#pragma once
// Published figures as data: each table with its source, read from resources/published/*.xml.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::analysis {

/// One published number. `layer` is empty for totals.
struct PublishedFigure {
  std::string source;   ///< short and unique, e.g. "thesis-table5-manual"
  std::string network;  ///< network's name as in its file, e.g. "Face Detector"
  std::string layer;    ///< "L1"
  std::string metric;   ///< key as in `report --json`, e.g. "mac_per_instruction", "macs"
  double value = 0;
  std::string unit;
};

struct PublishedSource {
  std::string id, title, citation;  ///< citation: document, section, table
};

class PublishedTables {
 public:
  /// Reads every *.xml of a folder, in name order; mistakes are diagnostics with file and line.
  static PublishedTables load(const std::string& folder, Diagnostics& diagnostics);

  const std::vector<PublishedSource>& sources() const { return sources_; }
  const std::vector<PublishedFigure>& figures() const { return figures_; }
  std::optional<double> find(std::string_view source, std::string_view network, std::string_view layer,
                             std::string_view metric) const;
  /// source -> metric -> value for one layer (or the total if `layer` is empty).
  std::map<std::string, std::map<std::string, double>> of_layer(std::string_view network, std::string_view layer) const;

 private:
  std::vector<PublishedSource> sources_;
  std::vector<PublishedFigure> figures_;
};

}  // namespace convscope::analysis
