#include "core/cpu/run/together.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

constexpr std::int64_t most_static_bytes = std::int64_t{64} << 20;

bool can_share(const std::vector<Generated>& programs, const std::vector<std::size_t>& these) {
  std::int64_t bytes = 0;
  for (const std::size_t i : these) bytes += programs[i].temporary_bytes;
  return these.size() > 1 && bytes <= most_static_bytes && std::all_of(these.begin(), these.end(), [&](std::size_t i) {
           return programs[i].source.find("#include") == std::string::npos;
         });
}

}  // namespace

std::string symbol_of(std::size_t program) {
  return fmt::format("{}_{}", usual_symbol, program);
}

std::vector<std::vector<std::size_t>> alike(const std::vector<Generated>& programs) {
  std::map<std::pair<Family, bool>, std::vector<std::size_t>> kinds;
  for (std::size_t i = 0; i < programs.size(); ++i) kinds[{programs[i].family, programs[i].openmp}].push_back(i);
  std::vector<std::vector<std::size_t>> lists;
  lists.reserve(kinds.size());
  for (auto& [kind, list] : kinds) lists.push_back(std::move(list));
  return lists;
}

std::optional<Generated> together(const std::vector<Generated>& programs, const std::vector<std::size_t>& these) {
  if (!can_share(programs, these)) return std::nullopt;
  Generated all = programs[these.front()];
  all.source.clear();
  for (const std::size_t i : these)
    all.source += fmt::format("#define {0} {1}\nnamespace program_{2} {{\n{3}\n}}\n#undef {0}\n", usual_symbol,
                              symbol_of(i), i, programs[i].source);
  return all;
}

}  // namespace convscope::cpu
