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
  std::string unit;  ///< base unit: files may state multiples ("MMAC", "MiB", "%"), which are multiplied out
};

struct PublishedSource {
  std::string id, title, citation;  ///< citation: document, section, table
  std::string target = {};          ///< id of the target whose machine it is about; empty: of none in particular
  /// Operators whose layers its totals count, by ONNX's names; empty: all that the network has.
  std::vector<std::string> counts = {};
  int images = 1;  ///< that its figures are of together
  /// Whether its figures can stand beside those of a target.
  bool is_about(std::string_view other) const { return target.empty() || target == other; }
};

/// A published slot table: what each issue field does in each cycle of a loop's body.
struct PublishedSchedule {
  std::string source;  ///< e.g. "thesis-figure17"
  std::string network;
  std::string layer;
  std::string level;                             ///< optimization level that it shows, as in `--level`
  std::vector<std::string> resources;            ///< "MEMA", …
  std::vector<std::vector<std::string>> cycles;  ///< [cycle][resource]: operation, or "" if idle
};

class PublishedTables {
 public:
  /// Reads every *.xml of a folder, in name order; mistakes are diagnostics with file and line.
  static PublishedTables load(const std::string& folder, Diagnostics& diagnostics);

  const std::vector<PublishedSource>& sources() const { return sources_; }
  const std::vector<PublishedFigure>& figures() const { return figures_; }
  const std::vector<PublishedSchedule>& schedules() const { return schedules_; }
  /// A source by id, or null.
  const PublishedSource* source(std::string_view id) const;
  /// A slot table by source id, or null.
  const PublishedSchedule* schedule(std::string_view source) const;
  std::optional<double> find(std::string_view source, std::string_view network, std::string_view layer,
                             std::string_view metric) const;
  /// source -> metric -> value for one layer (or the total if `layer` is empty), of sources about a target's machine or
  /// about none.
  std::map<std::string, std::map<std::string, double>> of_layer(std::string_view network, std::string_view layer,
                                                                std::string_view target) const;

 private:
  std::vector<PublishedSource> sources_;
  std::vector<PublishedFigure> figures_;
  std::vector<PublishedSchedule> schedules_;
};

}  // namespace convscope::analysis
