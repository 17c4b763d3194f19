#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/analysis/why.h"
#include "core/base/grouped.h"
#include "core/base/shortened.h"

namespace convscope::analysis {
namespace {

using Json = nlohmann::ordered_json;
using Kind = WhyLine::Kind;

constexpr std::size_t most_helps = 5;

std::string_view resource_of(const artifact::ExplainedBound& bound) {
  const std::string_view kind = bound.bound.kind;
  return kind.substr(0, kind.find_first_of(", "));
}

std::string cycles_text(std::int64_t cycles) {
  return fmt::format("{} cycle{}", grouped(cycles), cycles == 1 ? "" : "s");
}

void add_next(const artifact::Explanation& explanation, std::vector<WhyLine>& lines) {
  const artifact::ExplainedBound* next = next_to_bind(explanation);
  if (next == nullptr) return;
  const artifact::ExplainedBound& first = explanation.bounds.front();
  const std::int64_t cycles = next->bound.cycles;
  const std::string words =
      cycles == first.bound.cycles
          ? fmt::format("{} would bind, with as many cycles: less of the one alone moves nothing", next->bound.kind)
          : fmt::format("{} would bind, with {}: {:.1f} % fewer", next->bound.kind, cycles_text(cycles),
                        100 - 100 * static_cast<double>(cycles) / static_cast<double>(first.bound.cycles));
  lines.push_back({Kind::next, std::string(resource_of(first)), {words}});
}

void add_bounds(const Why& why, std::vector<WhyLine>& lines) {
  const auto& bounds = why.explanation.bounds;
  if (why.cycles.value > 0 && !bounds.empty())
    lines.push_back({Kind::takes,
                     "it takes",
                     {fmt::format("{} ({})", cycles_text(std::llround(std::min(why.cycles.value, 9e18))),
                                  origin_name(why.cycles.origin))},
                     why.cycles.value});
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    WhyLine line{i == 0 ? Kind::binding : Kind::bound, bounds[i].bound.kind, {}};
    line.words.push_back(cycles_text(bounds[i].bound.cycles) + (bounds[i].bound.proven ? ", proven" : "") +
                         (bounds[i].text.empty() ? "" : "; " + bounds[i].text));
    line.cycles = static_cast<double>(bounds[i].bound.cycles);
    lines.push_back(std::move(line));
  }
  add_next(why.explanation, lines);
}

void add_rejected(const artifact::Explanation& explanation, std::vector<WhyLine>& lines) {
  for (const artifact::RejectedAlternative& each : explanation.rejected)
    lines.push_back(
        {Kind::rejected,
         each.name,
         {each.fits ? format_quantity(each.seconds) + (each.reason.empty() ? "" : "; " + each.reason) : each.reason}});
}

void add_slots(const std::vector<SlotReason>& slots, std::vector<WhyLine>& lines) {
  for (const SlotReason& slot : slots) {
    const bool empty = slot.occupant.empty();
    WhyLine line{empty ? Kind::empty : Kind::taken, slot.resource, {}};
    line.words.push_back(empty                ? "nothing"
                         : slot.iteration < 0 ? fmt::format("'{}'", slot.occupant)
                                              : fmt::format("'{}' of iteration {}", slot.occupant, slot.iteration));
    line.words.insert(line.words.end(), slot.lines.begin(), slot.lines.end());
    line.cycle = slot.cycle;
    line.operation = slot.operation;
    line.looks = slot.looks;
    lines.push_back(std::move(line));
  }
}

std::string heading(const WhyLine& line) {
  switch (line.kind) {
    case Kind::binding:
    case Kind::bound:
      return "bound " + line.name;
    case Kind::next:
      return "without " + line.name;
    case Kind::helps:
      return "helps: " + line.name;
    case Kind::rejected:
      return "instead " + line.name;
    case Kind::operation:
      return fmt::format("operation '{}'", line.name);
    case Kind::taken:
    case Kind::empty:
      return fmt::format("cycle {}, {}", line.cycle, line.name);
    default:
      return line.name;
  }
}

Json slot_json(const SlotReason& slot) {
  Json json{{"cycle", slot.cycle}, {"resource", slot.resource}};
  if (!slot.occupant.empty()) json["operation"] = slot.occupant;
  if (slot.iteration >= 0) json["iteration"] = slot.iteration;
  json["reasons"] = slot.lines;
  return json;
}

Json bounds_json(const artifact::Explanation& explanation) {
  Json bounds = Json::array();
  for (const artifact::ExplainedBound& each : explanation.bounds)
    bounds.push_back({{"kind", each.bound.kind},
                      {"cycles", each.bound.cycles},
                      {"proven", each.bound.proven},
                      {"seconds", each.seconds.value},
                      {"origin", origin_name(each.seconds.origin)},
                      {"text", each.text}});
  return bounds;
}

Json rejected_json(const artifact::Explanation& explanation) {
  Json rejected = Json::array();
  for (const artifact::RejectedAlternative& each : explanation.rejected) {
    Json other{{"name", each.name}, {"fits", each.fits}, {"reason", each.reason}};
    if (each.fits) other["seconds"] = each.seconds.value;
    rejected.push_back(std::move(other));
  }
  return rejected;
}

}  // namespace

const artifact::ExplainedBound* next_to_bind(const artifact::Explanation& explanation) {
  const auto& bounds = explanation.bounds;
  if (bounds.empty() || bounds.front().bound.cycles <= 0) return nullptr;
  const auto found = std::find_if(bounds.begin() + 1, bounds.end(), [&](const artifact::ExplainedBound& each) {
    return resource_of(each) != resource_of(bounds.front());
  });
  return found == bounds.end() ? nullptr : &*found;
}

std::vector<WhyLine> why_lines(const Why& why) {
  std::vector<WhyLine> lines;
  lines.push_back({Kind::summary, why.layer, {why.explanation.summary}});
  add_bounds(why, lines);
  for (std::size_t i = 0; i < std::min(most_helps, why.helps.size()); ++i) {
    const HelpfulChange& each = why.helps[i];
    lines.push_back({Kind::helps,
                     each.parameter,
                     {fmt::format("{} instead of {} saves {:.1f} %", each.to, each.from, 100 * each.gain)}});
  }
  if (why.operation) lines.push_back({Kind::operation, why.operation->name, why.operation->lines});
  add_slots(why.at_cycle, lines);
  add_rejected(why.explanation, lines);
  return lines;
}

std::string why_text(const Why& why) {
  std::string text;
  for (const WhyLine& line : why_lines(why))
    text += fmt::format("{}: {}\n", shortened(heading(line)), fmt::join(line.words, "\n  "));
  return text;
}

std::string why_json(const Why& why) {
  Json json{{"schema", "convscope-why"}, {"version", 1}, {"layer", why.layer}};
  json["summary"] = why.explanation.summary;
  json["bounds"] = bounds_json(why.explanation);
  if (const artifact::ExplainedBound* next = next_to_bind(why.explanation)) json["next"] = next->bound.kind;
  json["rejected"] = rejected_json(why.explanation);
  if (why.at_cycle.size() == 1) json["slot"] = slot_json(why.at_cycle.front());
  if (why.at_cycle.size() > 1) {
    json["slots"] = Json::array();
    for (const SlotReason& each : why.at_cycle) json["slots"].push_back(slot_json(each));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace convscope::analysis
