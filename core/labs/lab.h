#pragma once
// A lab: what a student reads, starts from, may change, is asked and must reach. A value; files hold it as XML
// (docs/labs.md).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/explore/space/expression.h"

namespace convscope::labs {

/// A parameter as text: what it means is known to the target alone.
struct Assignment {
  std::string name, value;
  int line = 0;  ///< in the file that it was read from, for diagnostics; 0 if it was not read
  bool operator==(const Assignment& other) const { return name == other.name && value == other.value; }
};

/// The machine that a lab starts from.
struct StartMachine {
  std::string target, preset, level;  ///< empty preset or level: the target's own
  std::vector<Assignment> parameters;
  int line = 0;
  bool operator==(const StartMachine& other) const {
    return target == other.target && preset == other.preset && level == other.level && parameters == other.parameters;
  }
};

/// What a student may change; all else is locked.
struct Allowance {
  std::string parameter;            ///< empty: the level
  std::vector<std::string> levels;  ///< of the level: those that may be chosen
  std::optional<double> from, to;   ///< of a parameter: its range, if it is not the machine's own
  int line = 0;
  bool operator==(const Allowance& other) const {
    return parameter == other.parameter && levels == other.levels && from == other.from && to == other.to;
  }
};

struct Choice {
  std::string name, text;
  bool operator==(const Choice&) const = default;
};

/// Answered with a number or, if there are choices, with one of them.
struct Question {
  std::string name, text, unit;
  std::vector<Choice> choices;
  int line = 0;
  bool operator==(const Question& other) const {
    return name == other.name && text == other.text && unit == other.unit && choices == other.choices;
  }
};

/// A program that a student hands in, for what one of a layer's programs computes.
struct ProgramWanted {
  std::string name, text, layer;
  int program = 0;  ///< which of the layer's programs
  int line = 0;
  bool operator==(const ProgramWanted& other) const {
    return name == other.name && text == other.text && layer == other.layer && program == other.program;
  }
};

/// A tiling of a layer that a student makes by hand.
struct TilingWanted {
  std::string name, text, layer;
  int line = 0;
  bool operator==(const TilingWanted& other) const {
    return name == other.name && text == other.text && layer == other.layer;
  }
};

/// What must hold.
struct Requirement {
  explore::Expression expression;
  std::string otherwise;  ///< said to whoever doesn't meet it; may be empty
  int line = 0;
  bool operator==(const Requirement& other) const {
    return expression.text() == other.expression.text() && otherwise == other.otherwise;
  }
};

/// Done when all requirements hold.
struct Task {
  std::string name, title, text;
  double points = 1;
  std::vector<std::string> hints;
  std::vector<Requirement> requirements;
  int line = 0;
  bool operator==(const Task& other) const {
    return name == other.name && title == other.title && text == other.text && points == other.points &&
           hints == other.hints && requirements == other.requirements;
  }
};

/// What grading one submission may take. Counted in steps and bytes, so that a grade depends on no machine's mood.
struct Budget {
  std::int64_t steps = 20'000'000;  ///< cycles or instructions that a handed-in program may run
  std::int64_t mebibytes = 2048;    ///< address space of the process that grades a submission
  bool operator==(const Budget&) const = default;
};

struct Lab {
  std::string name, title, network;  ///< the network's file: beside the lab, or one of the samples
  int minutes = 0;                   ///< how long it takes; 0: not stated
  StartMachine machine;
  std::vector<Allowance> allowances;
  Budget budget;
  std::vector<Question> questions;
  std::vector<ProgramWanted> programs;
  std::vector<TilingWanted> tilings;
  std::vector<Task> tasks;
  bool operator==(const Lab&) const = default;

  double points() const;  ///< of all tasks
};

/// By name; null if there is none.
template <typename Item>
const Item* find_named(const std::vector<Item>& items, std::string_view name) {
  for (const Item& item : items)
    if (item.name == name) return &item;
  return nullptr;
}

/// A name in an expression, taken apart: `start.cycles('L3')` asks for the figure `cycles` of L3 on the lab's machine.
struct FigureName {
  std::string whose;    ///< "start", "program", "tiling"; empty: the student's machine
  std::string figure;   ///< e.g. "cycles"
  std::string subject;  ///< a layer, a question, a program, a tiling; empty: all of the network
};
FigureName figure_name(std::string_view text);

}  // namespace convscope::labs
