#include "core/analysis/unmapped.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"

namespace convscope::analysis {
namespace {

constexpr std::size_t most_named = 3;

/// What `in_quotes` leaves of it, without the quotes.
std::string short_name(const std::string& name) {
  const std::string quoted = in_quotes(name);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string UnmappedLayers::text() const {
  if (names.size() == 1) return short_name(names.front());
  // Where one more is left than is named, its name is no longer than the words for it.
  const std::size_t shown = names.size() <= most_named + 1 ? names.size() : most_named;
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) list += (i == 0 ? "" : ", ") + short_name(names[i]);
  if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
  return fmt::format("{}{} layers ({})", names.size(), kind.empty() ? "" : " " + short_name(kind), list);
}

std::string UnmappedLayers::subject() const {
  return text() + (names.size() == 1 ? " is" : " are");
}

void UnmappedGroups::add(const std::string& kind, const std::string& name, const std::string& reason, double macs) {
  const auto [place, is_new] = known_.try_emplace({kind, reason}, groups_.size());
  if (is_new) groups_.push_back({kind, reason, {}, 0});
  UnmappedLayers& group = groups_[place->second];
  group.names.push_back(name);
  group.macs += macs;
}

std::vector<UnmappedLayers> UnmappedGroups::sorted() const {
  std::vector<UnmappedLayers> result = groups_;
  std::stable_sort(result.begin(), result.end(),
                   [](const UnmappedLayers& a, const UnmappedLayers& b) { return a.macs > b.macs; });
  return result;
}

}  // namespace convscope::analysis
