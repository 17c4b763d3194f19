#pragma once
// What is known of a schedule made by hand: what it breaks, its figures, what becomes of it as a program, and what it
// is to be held against. What `convscope-cli draft check` prints.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/published.h"
#include "core/schedule/draft/draft_file.h"
#include "core/schedule/draft/draft_rules.h"
#include "core/target/drafts.h"

namespace convscope::analysis {

struct BrokenRule {
  int operation = 0;  ///< position in the problem
  std::string name;   ///< of the operation
  std::string rule;   ///< "too early", "too late", "taken"
  std::string text;   ///< for people: operation, cycle, rule, limit, what would do
};

/// A figure that somebody published of the layer, or the length of a published slot table (figure `interval`).
struct PublishedOfLayer {
  std::string source, figure, label;
  double value = 0;
};

struct DraftCheck {
  schedule::DraftOrigin origin;
  schedule::DraftFigures figures;
  std::string bound_text;  ///< which resource or circle of operations proves the bound
  std::int64_t automatic_interval = 0;
  std::vector<BrokenRule> broken;                      ///< all of them
  std::vector<artifact::NamedQuantity> steady = {};    ///< of the steady state, whether complete or not
  std::optional<target::FinishedDraft> finished = {};  ///< if it is complete and breaks nothing
  std::vector<artifact::FigureDescription> described = {};
  std::vector<PublishedOfLayer> published = {};

  bool complete() const { return figures.placed == figures.operations; }
  /// Its program is verified, and computes what the reference does.
  bool correct() const { return finished && finished->verified && finished->simulation.matches; }
};

/// Looks at rules and figures; a draft that is complete and breaks none is finished, on an input by `options` (those of
/// the target's SimulationTools). Diagnostics tell why a program was refused. Throws Cancelled.
DraftCheck check_draft(const target::DraftTools& tools, const schedule::Draft& draft, schedule::DraftOrigin origin,
                       const target::OptionValues& options, const std::stop_token& stop, Diagnostics& diagnostics);

/// What is published of a layer: slot tables, and those figures of a target that `described` knows.
std::vector<PublishedOfLayer> published_of_layer(const PublishedTables& tables, const std::string& network,
                                                 const std::string& layer, const std::string& target,
                                                 const std::vector<artifact::FigureDescription>& described);

/// For people, lines.
std::string draft_check_text(const DraftCheck& check);
/// docs/draft.md has the schema.
std::string draft_check_json(const DraftCheck& check);

}  // namespace convscope::analysis
