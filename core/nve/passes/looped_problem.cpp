#include "core/nve/passes/looped_problem.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace convscope::nve {
namespace {

using Kind = LoopOperationKind;

const char* kind_name(Kind kind) {
  constexpr const char* names[] = {"read coefficients", "read pixels", "write",     "set weights",
                                   "shift weights",     "set image",   "set-shift", "shift image",
                                   "set bias",          "mac",         "activate"};
  return names[static_cast<int>(kind)];
}

/// Whether a kind stands with the bodies, the writes or the activations of a loop.
int part_of(Kind kind) {
  return kind == Kind::write_pixels ? 1 : kind == Kind::activate ? 2 : 0;
}

class ProblemBuilder {
 public:
  ProblemBuilder(const LoopedBody& body, bool with_pass, const SchedulingMachine& machine)
      : body_(body), machine_(machine), with_pass_(with_pass) {}

  LoopedProblem build() {
    Loop& loop = result_.loop;
    loop.problem.resources = loop_resources();
    result_.number.resize(body_.head.operations.size() + (with_pass_ ? body_.pass.operations.size() : 0));
    for (const int part : {0, 1, 2}) {
      if (part == 1) loop.bodies = {0, static_cast<int>(loop.operations.size())};
      if (part == 2) loop.first_activation = static_cast<int>(loop.operations.size());
      add(body_.head, part, 0, 0);
      if (with_pass_) add(body_.pass, part, body_.head.operations.size(), body_.head.length);
    }
    loop.initiation_interval = body_.head.length + (with_pass_ ? body_.pass.length : 0);
    depend(body_.head, 0);
    if (with_pass_) depend(body_.pass, body_.head.operations.size());
    return std::move(result_);
  }

 private:
  void add(const LoopedStretch& stretch, int part, std::size_t first, int begin) {
    Loop& loop = result_.loop;
    for (std::size_t i = 0; i < stretch.operations.size(); ++i) {
      const LoopOperation& o = stretch.operations[i];
      if (part_of(o.kind) != part) continue;
      std::vector<schedule::ResourceUse> uses;
      if (o.kind == Kind::set_weights || o.kind == Kind::set_image ||
          (o.kind == Kind::set_shift_image && !machine_.has_port_b()))
        uses.push_back({port_a_output, 0});
      result_.number[first + i] = loop.add(o, std::move(uses), kind_name(o.kind));
      loop.cycles.push_back(stretch.cycles[i] + begin);
      if (o.kind == Kind::set_bias) loop.set_bias.push_back(result_.number[first + i]);
    }
  }

  // In the order in which the stretch lists them: what a vector operation needs stands before it.
  void depend(const LoopedStretch& stretch, std::size_t first) {
    std::map<Field, int> last;
    std::vector<int> reads, registers;
    int vector = -1;
    for (std::size_t i = 0; i < stretch.operations.size(); ++i) {
      const LoopOperation& o = stretch.operations[i];
      const int number = result_.number[first + i];
      if (part_of(o.kind) != 0) continue;
      if (o.kind == Kind::read_pixels || o.kind == Kind::read_coefficients) {
        reads.push_back(number);
        continue;
      }
      const auto known = last.find(o.field);
      if (known != last.end()) result_.loop.depend(known->second, number, 1);
      last[o.field] = number;
      if (o.field == Field::vmac) {
        for (const int each : registers) result_.loop.depend(each, number, machine_.set_to_use);
        registers.clear();
        vector = number;
        continue;
      }
      for (const int read : reads) {
        result_.loop.depend(read, number, machine_.read_to_set);
        result_.loop.depend(number, read, -machine_.read_to_set);
      }
      reads.clear();
      if (vector >= 0) result_.loop.depend(vector, number, 1 - machine_.set_to_use);
      registers.push_back(number);
    }
    depend_writes(stretch, first);
    depend_activations(stretch, first);
  }

  // What is written is read two passes later.
  void depend_writes(const LoopedStretch& stretch, std::size_t first) {
    using Word = std::tuple<int, int>;
    std::map<Word, int> writes;
    for (std::size_t i = 0; i < stretch.operations.size(); ++i)
      if (stretch.operations[i].kind == Kind::write_pixels)
        writes[{stretch.operations[i].unit, stretch.operations[i].word}] = result_.number[first + i];
    for (std::size_t i = 0; i < stretch.operations.size(); ++i) {
      const LoopOperation& o = stretch.operations[i];
      const bool coefficients = o.kind == Kind::read_coefficients && o.column != 1;
      if (o.kind != Kind::read_pixels && !coefficients) continue;
      const auto write = writes.find({coefficients ? -1 : o.unit, o.word});
      if (write != writes.end())
        result_.loop.depend(write->second, result_.number[first + i], machine_.write_to_read, with_pass_ ? 1 : 2);
    }
  }

  void depend_activations(const LoopedStretch& stretch, std::size_t first) {
    std::map<int, int> bias;
    for (std::size_t i = 0; i < stretch.operations.size(); ++i)
      if (stretch.operations[i].kind == Kind::set_bias) bias[stretch.operations[i].map] = result_.number[first + i];
    for (std::size_t i = 0; i < stretch.operations.size(); ++i) {
      if (stretch.operations[i].kind != Kind::activate) continue;
      const int number = result_.number[first + i], map = stretch.operations[i].map;
      result_.loop.depend(bias[map], number, machine_.output_latency);
      if (const auto next = bias.find(map + 1); next != bias.end())
        result_.loop.depend(number, next->second, 1 - machine_.output_latency);
    }
  }

  const LoopedBody& body_;
  const SchedulingMachine& machine_;
  bool with_pass_;
  LoopedProblem result_;
};

}  // namespace

LoopedProblem looped_problem(const LoopedBody& body, bool with_pass, const SchedulingMachine& machine) {
  return ProblemBuilder(body, with_pass, machine).build();
}

}  // namespace convscope::nve
