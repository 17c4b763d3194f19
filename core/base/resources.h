#pragma once
// Where presets, published tables and samples lie: beside the build tree's source, or as installed.

#include <string>

namespace convscope {

/// Folder of resources: $CONVSCOPE_DATA if set, else the installed one if it exists, else the source tree's.
/// Holds `resources/` and `samples/`.
std::string data_folder();
std::string resource_path(const std::string& relative);  ///< data_folder() + "/resources/" + relative
std::string sample_path(const std::string& relative);    ///< data_folder() + "/samples/" + relative

}  // namespace convscope
