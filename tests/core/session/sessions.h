#pragma once
// A session with everything in it, and a folder that goes with the test.

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/session/session_file.h"

namespace convscope::session::test {

inline Session full_session() {
  Session session;
  session.program = "0.1.0";
  session.autosave_of = "../a & b.convscope";
  session.network = NetworkReference{"../networks/<odd> \"name\"\n.onnx", 0x00ab'cdef'0123'4567, {}};
  session.network->sizes = network::InputSizes{4, network::Size{480, 640}, {{"N", 3}, {"seq len", 128}}};
  session.machine = {"toaster", "café", "optimal", {{"lanes", "32", 0}, {"clock", "66.6", 0}}};
  session.selection = {2, 1, 0xffff'ffff'ffff'fff0, 7, 1'000'000'000'000, 0};
  session.baselines.push_back({"before", *session.network, session.machine});
  session.baselines.push_back({"", {"other.xml", std::nullopt, {}}, {"oven", "", "", {}}});
  session.theme = "dark";
  session.window = {{"layout", "AAAA//8="}, {"view", "schedule"}, {"empty", ""}};
  return session;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "convscope-session-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data()) == nullptr ? "" : pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace convscope::session::test
