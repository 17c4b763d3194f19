#pragma once
// Where presets, published tables and samples lie: found from where the program is, however it came there.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope {

/// A variable of the environment; nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Folders that may hold `resources/` and `samples/`, in the order in which they are looked at. $CONVSCOPE_DATA alone,
/// if it is set; else PREFIX/share/convscope for a program PREFIX/bin/PROGRAM, which holds for what was installed or
/// unpacked anywhere and for a build tree, where it is a link to the source; else, for a program that was copied away
/// from its prefix, `convscope` in the folders of shared data ($XDG_DATA_HOME, $XDG_DATA_DIRS).
/// `program` is the absolute path of the running program without links; empty if the system doesn't tell it.
std::vector<std::string> data_places(const std::string& program, const Environment& environment);

/// The first of the places that holds `resources/`, without links; the first place if none does, so that messages about
/// missing files say where these should be.
std::string data_folder();
std::string resource_path(const std::string& relative);  ///< data_folder() + "/resources/" + relative
std::string sample_path(const std::string& relative);    ///< data_folder() + "/samples/" + relative

/// A hint for whoever misses a file of the program's own: where the data are taken from, and what names another place.
/// Empty for files that are not the program's own.
std::string data_hint(std::string_view path);

/// Whether there are resources; if not, an error that names the places. Programs ask once, before they do anything.
bool find_data(Diagnostics& diagnostics);

}  // namespace convscope
