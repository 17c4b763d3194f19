#pragma once
// A session's file, and everything it names, read for the window.

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/session/session_file.h"
#include "ui/document/baselines.h"
#include "ui/document/network_reading.h"
#include "ui/model/settings.h"

namespace convscope::ui {

/// A session whose names have been looked up.
struct RestoredSession {
  session::Session session;
  Settings settings;
  QString network_path;    ///< where the network was found; empty if the session has none
  NetworkReading network;  ///< as it was read from there
  std::vector<BaselineRecord> baselines;
  int compared = -1;  ///< index of the baseline that tables compare with
};

struct SessionReading {
  std::optional<RestoredSession> restored;
  Diagnostics diagnostics;
};

/// True for names that end as sessions do.
bool is_session_file(const QString& path);

/// Reads the session, its preset and its network. A session whose target or network is not there is refused as a
/// whole; smaller things are warnings. Reads files; needs no window.
SessionReading read_session_files(const catalogue::Catalogue& catalogue, const QString& path);

/// The machine as a session keeps it.
session::Machine machine_of(const Settings& settings);

}  // namespace convscope::ui
