#pragma once
// Networks that come with the program, by their names.

#include <string>

namespace convscope {

/// The file that the name of a network means: what is there is meant as it stands, and where nothing is, "lenet" and
/// "lenet.xml" mean the sample of that name, if there is one.
std::string network_path(const std::string& name);

}  // namespace convscope
