#pragma once
// The command line with the mill beside the standard targets, in this process.

#include <memory>
#include <string>
#include <vector>

#include "core/target/target.h"

namespace convscope::house {

struct Answer {
  int code = -1;
  std::string out, err;
};
Answer run(std::vector<std::string> arguments);
/// With other targets than the standard ones and the mill.
Answer run(std::vector<std::string> arguments, std::vector<std::shared_ptr<const target::Target>> targets);

/// Path of samples/networks/NAME.xml.
std::string sample(const std::string& name);

/// A folder of the test that runs.
std::string folder_of_test();

}  // namespace convscope::house
