#pragma once
// The figures that a lab's requirements read, computed anew from what was handed in, each when it is first asked for.

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/engine/engine.h"
#include "core/labs/open_lab.h"
#include "core/labs/submission.h"
#include "core/labs/submitted_machine.h"

namespace convscope::labs {

/// What computing takes. All of them must outlive whoever computes.
struct Workshop {
  engine::Executor& executor;
  target::PassCache& cache;
  std::stop_token stop;
};

class Figures {
 public:
  using Value = explore::Expression::Value;

  /// Lab and submission must outlive it. `file` is for diagnostics.
  Figures(const OpenLab& lab, const Submission& submission, SubmittedMachine machine, std::string file,
          Workshop workshop);
  ~Figures();
  Figures(const Figures&) = delete;
  Figures& operator=(const Figures&) = delete;

  /// The value of a name as expressions have it (vocabulary.h). Nothing if it has none, which `reason` explains. Throws
  /// Cancelled.
  std::optional<Value> value(std::string_view name);
  /// Why a name had no value when it was last asked for, or why that of a program or a tiling is no; empty if neither.
  std::string reason(std::string_view name) const;

 private:
  using Compiled = std::shared_ptr<const engine::CompiledNetwork>;
  struct Program;
  struct Tiling;

  std::optional<Value> compute(const FigureName& name, std::string& reason);
  std::optional<Value> of_network(const engine::CompiledNetwork& compiled, const std::string& figure,
                                  std::string& reason) const;
  std::optional<Value> of_layer(const engine::CompiledNetwork& compiled, const FigureName& name,
                                std::string& reason) const;
  std::optional<Value> of_answer(const std::string& question, std::string& reason) const;
  std::optional<Value> of_program(const FigureName& name, std::string& reason);
  std::optional<Value> of_tiling(const FigureName& name, std::string& reason);

  const engine::CompiledNetwork& own();
  const engine::CompiledNetwork& at_start();
  Compiled compile(const arch::ParameterValues& machine, const std::string& level) const;
  const Program& examined(const std::string& name);
  Program examine(const ProgramWanted& wanted);
  const Tiling& tiled(const std::string& name);
  Tiling tile(const TilingWanted& wanted);

  const OpenLab& lab_;
  const Submission& submission_;
  SubmittedMachine machine_;
  std::string file_;
  Workshop workshop_;
  Compiled own_, at_start_;
  std::map<std::string, Program> programs_;
  std::map<std::string, Tiling> tilings_;
  std::map<std::string, std::string, std::less<>> reasons_;
};

}  // namespace convscope::labs
