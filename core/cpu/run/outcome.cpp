#include "core/cpu/run/outcome.h"

#include <array>
#include <utility>

namespace convscope::cpu {
namespace {

constexpr std::array<std::string_view, 12> keys = {"ran",           "wrong_result", "inaccurate", "out_of_bounds",
                                                   "compile_error", "crash",        "timeout",    "memory",
                                                   "file",          "network",      "forbidden",  "unavailable"};

}  // namespace

std::string_view key(Ending ending) {
  return keys[static_cast<std::size_t>(ending)];
}

std::optional<Ending> find_ending(std::string_view key) {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return static_cast<Ending>(i);
  return std::nullopt;
}

double seconds_of(const Outcome& outcome) {
  return outcome.gated ? outcome.median : outcome.minimum;
}

Outcome failed(Ending ending, std::string message) {
  Outcome outcome;
  outcome.ending = ending;
  outcome.message = std::move(message);
  return outcome;
}

}  // namespace convscope::cpu
