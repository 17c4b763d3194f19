#pragma once
// Numbers in what a child is told and answers.

#include <limits>

#include <nlohmann/json.hpp>

namespace convscope::cpu {

/// Infinite errors have no number in JSON: they are null.
inline double number_or_infinite(const nlohmann::json& json, const char* name) {
  return json.at(name).is_null() ? std::numeric_limits<double>::infinity() : json.at(name).get<double>();
}

}  // namespace convscope::cpu
