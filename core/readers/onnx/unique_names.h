#pragma once
// Names by rule where a file has none or repeats one.

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace convscope::readers::onnx_format {

class UniqueNames {
 public:
  void reserve(const std::string& name) { taken_.insert(name); }
  /// "NAME", or "NAME_2", "NAME_3", … if it is taken.
  std::string take(const std::string& name) {
    if (taken_.insert(name).second) return name;
    int& count = counts_.try_emplace(name, 1).first->second;
    for (;;) {
      std::string numbered = name + "_" + std::to_string(++count);
      if (taken_.insert(numbered).second) return numbered;
    }
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> counts_;
};

}  // namespace convscope::readers::onnx_format
