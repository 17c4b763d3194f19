#include "ui/views/program/assembly/assembly_verdict.h"

#include <QStringList>

#include "core/base/cancellation.h"
#include "core/target/programs.h"
#include "ui/words/figures.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

const std::string text_name = "text";  // nobody sees it: findings stand at their lines

std::vector<AssemblyFinding> findings_of(const Diagnostics& diagnostics) {
  std::vector<AssemblyFinding> findings;
  for (Diagnostic each : diagnostics.items()) {
    const int line = each.where.file == text_name ? each.where.line : 0;
    each.where.file.clear();
    each.where.line = 0;
    findings.push_back({line, each.severity, to_text(each.text())});
  }
  return findings;
}

QString counted_text(const target::Target& target, const target::SimulationResult& result) {
  QStringList words;
  const target::SimulationTools* tools = target.simulation_tools();
  for (const artifact::NamedQuantity& each : result.counted)
    if (const auto* description = tools == nullptr ? nullptr : artifact::find_figure(tools->counted(), each.key))
      words << QStringLiteral("%1 %2").arg(count_text(static_cast<std::int64_t>(each.quantity.value)),
                                           to_text(description->label));
  return words.join(QStringLiteral(", "));
}

/// What there is to say if nothing is wrong.
QString praise(AssemblyStep step) {
  if (step == AssemblyStep::assemble) return QStringLiteral("It assembles. Ctrl+Return verifies and simulates it.");
  return QStringLiteral("Verified: it breaks no rule.");
}

QString blame(const AssemblyVerdict& verdict, std::size_t errors) {
  const QString count = errors == 1 ? QStringLiteral("One error") : QStringLiteral("%1 errors").arg(errors);
  for (const AssemblyFinding& each : verdict.findings)
    if (each.severity == Severity::error && each.line > 0)
      return QStringLiteral("%1, the first in line %2 (F8 goes from one to the next).").arg(count).arg(each.line);
  return count + QStringLiteral(".");
}

}  // namespace

bool has_assembler(const target::Target& target) {
  return target.program_tools() != nullptr;
}

AssemblyVerdict judge_assembly(const target::Target& target, const std::string& text, AssemblyStep step,
                               const std::stop_token& stop) {
  throw_if_stopped(stop);
  const target::ProgramTools& tools = *target.program_tools();
  Diagnostics diagnostics;
  AssemblyVerdict verdict{step, false, {}, {}};
  QString told = praise(step);
  if (step == AssemblyStep::simulate && target.simulation_tools() != nullptr) {
    const target::OptionValues options(target.simulation_tools()->options());
    const target::SimulationResult result = tools.simulate(text, text_name, options, stop, diagnostics);
    verdict.fine = result.ran && result.matches;
    told = QStringLiteral("Verified and simulated: %1; every output equals the reference.")
               .arg(counted_text(target, result));
    if (result.ran && !result.matches)
      told = QStringLiteral("Verified and simulated: outputs differ from the reference.");
  } else if (step == AssemblyStep::assemble) {
    verdict.fine = tools.assemble(text, text_name, diagnostics).has_value();
  } else {
    verdict.fine = tools.verify(text, text_name, diagnostics);
  }
  verdict.findings = findings_of(diagnostics);
  const std::size_t errors = diagnostics.count(Severity::error);
  verdict.fine = verdict.fine && errors == 0;
  verdict.text = errors == 0 ? told : blame(verdict, errors);
  return verdict;
}

}  // namespace convscope::ui
