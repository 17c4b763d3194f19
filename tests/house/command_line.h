#pragma once
// The command line with the mill beside the standard targets, in this process.

#include <string>
#include <vector>

namespace convscope::house {

struct Answer {
  int code = -1;
  std::string out, err;
};
Answer run(std::vector<std::string> arguments);

/// Path of samples/networks/NAME.xml.
std::string sample(const std::string& name);

/// A folder of the test that runs.
std::string folder_of_test();

}  // namespace convscope::house
