#pragma once
// A space while somebody writes it: what stands in each field, right or wrong. Becomes SPACE.xml, so that the reader of
// spaces is the only judge, and knows which line came from which field.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::explore {

struct DraftNetwork {
  std::string file, weight, batch, input_size;  ///< empty: not stated
  bool operator==(const DraftNetwork&) const = default;
};

enum class DraftForm { list, range, link };

struct DraftParameter {
  std::string name;
  DraftForm form = DraftForm::list;
  std::string values;          ///< of a list
  std::string from, to, step;  ///< of a range; empty: the parameter's own
  bool factor = false;         ///< the step is one
  std::string equals;          ///< of a link
  bool operator==(const DraftParameter&) const = default;
};

struct DraftConstraint {
  std::string expression, reason;
  bool operator==(const DraftConstraint&) const = default;
};

struct DraftMachines {
  std::string target;
  std::vector<std::string> presets, levels;  ///< empty: the target's own
  std::vector<DraftParameter> parameters;
  std::vector<DraftConstraint> constraints;
  bool operator==(const DraftMachines&) const = default;
};

struct DraftObjective {
  std::string name, best;  ///< empty `best`: the objective's own
  bool operator==(const DraftObjective&) const = default;
};

struct SpaceDraft {
  std::string name, title, minimum_coverage;  ///< empty coverage: 1
  std::vector<DraftNetwork> networks;
  std::vector<DraftMachines> machines;
  std::vector<DraftObjective> objectives;
  bool operator==(const SpaceDraft&) const = default;
};

/// What a line of the text was made of.
struct DraftPlace {
  enum class Part { space, network, machines, parameter, constraint, objective };
  Part part = Part::space;
  std::size_t index = 0;     ///< of a network, an objective, or within its machines
  std::size_t machines = 0;  ///< of machines, parameters and constraints
  bool operator==(const DraftPlace&) const = default;
};

struct DraftText {
  std::string xml;
  std::vector<DraftPlace> lines;  ///< of each line, the first one at 0
};

/// Each element on a line of its own.
DraftText write_draft(const SpaceDraft& draft);

/// Reads the fields of a space without judging what they say. Nothing, with diagnostics, if there are others.
std::optional<SpaceDraft> read_draft(std::string_view xml, const std::string& file, Diagnostics& diagnostics);

/// The draft with its files as seen from another folder; an empty one makes their paths absolute.
SpaceDraft moved(SpaceDraft draft, const std::string& from_folder, const std::string& to_folder);

}  // namespace convscope::explore
