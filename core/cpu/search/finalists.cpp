#include "core/cpu/search/finalists.h"

#include <map>
#include <set>
#include <string_view>

namespace convscope::cpu {
namespace {

std::string_view store_of(const Path& path) {
  const std::string* store = path.find("store");
  return store == nullptr ? std::string_view() : std::string_view(*store);
}

}  // namespace

std::vector<std::size_t> finalists(const std::vector<Tried>& tried, std::size_t count) {
  const std::vector<std::size_t> order = fastest(tried, tried.size());
  std::set<std::string_view> ways;
  for (const std::size_t i : order) ways.insert(store_of(tried[i].path));
  const std::size_t each = ways.size() > 1 ? count / ways.size() : 0;
  std::map<std::string_view, std::size_t> taken;
  std::set<std::size_t> chosen;
  for (const std::size_t i : order)
    if (taken[store_of(tried[i].path)]++ < each) chosen.insert(i);
  for (const std::size_t i : order)
    if (chosen.size() < count) chosen.insert(i);
  std::vector<std::size_t> result;
  for (const std::size_t i : order)
    if (chosen.contains(i)) result.push_back(i);
  return result;
}

}  // namespace convscope::cpu
