#include "core/base/sample_network.h"

#include <filesystem>
#include <system_error>

#include "core/base/resources.h"

namespace convscope {

std::string network_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (name.empty() || name.find('/') != std::string::npos || fs::exists(name, error)) return name;
  for (const char* end : {"", ".xml"})
    if (std::string sample = sample_path("networks/" + name + end); fs::is_regular_file(sample, error)) return sample;
  return name;
}

}  // namespace convscope
