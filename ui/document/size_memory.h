#pragma once
// Input sizes that were chosen, as long as the program runs: for each file, and as a default for the next one.

#include <QString>
#include <map>
#include <optional>

#include "ui/document/network_reading.h"

namespace convscope::ui {

struct SizeMemory {
  OpenSizes left_open;                      ///< by the file of the open network
  std::optional<network::InputSizes> open;  ///< what it was read with; nothing if its format states all its sizes

  /// A network was read with these sizes.
  void opened(const QString& path, const OpenSizes& left, const std::optional<network::InputSizes>& sizes);
  void choose(const QString& path, const network::InputSizes& sizes);
  /// What a file is read with when nobody says more.
  SizeWish wish(const QString& path) const;

 private:
  std::map<QString, network::InputSizes> by_file_;  // by absolute path
  network::InputSizes last_ = SizeWish{}.defaults;
};

}  // namespace convscope::ui
