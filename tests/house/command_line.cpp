#include "tests/house/command_line.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "app/cli/program.h"
#include "tests/made/catalogues.h"
#include "tests/made/mill/mill_target.h"

namespace convscope::house {

Answer run(std::vector<std::string> arguments) {
  auto targets = catalogue::standard_targets();
  targets.push_back(made::make_mill());
  return run(std::move(arguments), std::move(targets));
}

Answer run(std::vector<std::string> arguments, std::vector<std::shared_ptr<const target::Target>> targets) {
  arguments.insert(arguments.begin(), "convscope-cli");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Answer answer;
  answer.code =
      cli::run_program(static_cast<int>(arguments.size()), pointers.data(), made::catalogue_of(std::move(targets)));
  answer.out = testing::internal::GetCapturedStdout();
  answer.err = testing::internal::GetCapturedStderr();
  return answer;
}

std::string sample(const std::string& name) {
  return CONVSCOPE_SOURCE_DIR "/samples/networks/" + name + ".xml";
}

std::string folder_of_test() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string folder = testing::TempDir() + "convscope_house_" + test->name();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace convscope::house
