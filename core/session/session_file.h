#pragma once
// Sessions as XML files.
//   <session version="1" program="0.1.0">
//     <network path="…" hash="…" batch="1" height="…" width="…"><size symbol="…" value="…"/></network>
//     <machine target="nve" preset="…" level="…"><parameter name="lanes" value="16"/>…</machine>
//     <selection layer="2" …/>
//     <baseline name="…"><network …/><machine …/><draft>…</draft></baseline>
//     <window theme="dark"><state name="…" value="…"/></window>
//   </session>

#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"
#include "core/session/session.h"

namespace convscope::session {

/// The newest version that is understood, and the one that is written. Files of all versions before keep opening.
inline constexpr int format_version = 1;

/// With a leading dot, as file names end.
inline constexpr char extension[] = ".convscope";

/// Reads a session. Text that is no session, or of a newer version, is refused with an error. Anything else that is
/// not understood is left out, with a warning that names its line: a session opens as far as it can be opened.
std::optional<Session> read_session(std::string_view xml, const std::string& file, Diagnostics& diagnostics);

std::string write_session(const Session& session);

/// As `read_session`, from a file.
std::optional<Session> load_session(const std::string& path, Diagnostics& diagnostics);

/// Replaces the file as a whole: whatever happens, the old or the new session is there.
bool save_session(const Session& session, const std::string& path, Diagnostics& diagnostics);

}  // namespace convscope::session
