#include "ui/panels/sweep_setup/sweep_dialog.h"

#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <algorithm>

#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "ui/document/exploration/exploration.h"
#include "ui/panels/sweep_setup/machines_box.h"
#include "ui/panels/sweep_setup/network_row.h"
#include "ui/panels/sweep_setup/objective_box.h"
#include "ui/panels/sweep_setup/strategy_box.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using Part = explore::DraftPlace::Part;

/// What is wrong and what would do, without the place: that is where it is shown.
QString sentence(const Diagnostic& diagnostic) {
  QString text = QString::fromStdString(diagnostic.what);
  if (!diagnostic.expected.empty())
    text += QObject::tr("; expected %1").arg(QString::fromStdString(diagnostic.expected));
  if (!diagnostic.hint.empty()) text += QStringLiteral("; ") + QString::fromStdString(diagnostic.hint);
  return text;
}

/// "1,250 points: 5 x 5 x 50".
QString size_text(const explore::Space& space) {
  QStringList families;
  for (const explore::Family& family : space.families) {
    QStringList factors;
    for (const std::uint64_t radix : family.radices()) {
      if (radix > 1) factors << QString::number(radix);
    }
    families << (factors.isEmpty() ? QStringLiteral("1") : factors.join(QStringLiteral(" × ")));
  }
  const auto size = count_text(static_cast<std::int64_t>(space.size()));
  const QString product = families.join(QStringLiteral(" + "));
  const QString points = space.size() == 1 ? SweepDialog::tr("1 point") : SweepDialog::tr("%1 points").arg(size);
  return product.contains(' ') ? points + QStringLiteral(" = ") + product : points;
}

}  // namespace

SweepDialog::SweepDialog(Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench), check_(workbench.catalogue()) {
  build();
  connect(&check_, &SpaceCheck::checked, this, &SweepDialog::take);
  on_change(workbench, this, Change::theme, [this] { show_messages(checked_); });
  connect(&workbench.exploration(), &Exploration::setup_changed, this, [this] {
    if (!keeping_) follow();
  });
  follow();
  load_presets();
}

void SweepDialog::follow() {
  ++followed_;
  opening_.forget();
  const SweepSetup& kept = workbench_.exploration().setup();
  if (kept.empty()) {
    reset();
  } else {
    show_setup(kept);
  }
}

void SweepDialog::reset() {
  const auto network = workbench_.network();
  show_setup(setup_for(workbench_.settings(), network ? QString::fromStdString(network->source_file) : QString(),
                       workbench_.input_sizes()));
}

void SweepDialog::vary(int parameter) {
  const auto& target = *workbench_.target();
  const auto has_target = [&](const MachinesBox* box) { return box->value().target == target.id(); };
  if (std::none_of(machines_.begin(), machines_.end(), has_target)) add_machines(machines_for(workbench_.settings()));
  MachinesBox* box = *std::find_if(machines_.begin(), machines_.end(), has_target);
  box->vary(target.machine()->parameters[static_cast<std::size_t>(parameter)].name);
}

void SweepDialog::open_space(const QString& path) {
  opening_.start<SetupReading>([path](const std::stop_token&) { return read_setup(path); },
                               [this](const SetupReading& reading) {
                                 if (!reading.setup)
                                   return show_status(QString::fromStdString(reading.diagnostics.text()).trimmed(),
                                                      true);
                                 SweepSetup setup = *reading.setup;
                                 strategy_->fill(setup);
                                 show_setup(setup);
                                 edited();
                               });
}

void SweepDialog::save_space(const QString& path) {
  SweepSetup setup = setup_of_fields();
  const QString file = QFileInfo(path).absoluteFilePath();
  setup.draft = explore::moved(setup.draft, setup.folder(), QFileInfo(file).absolutePath().toStdString());
  setup.file = file;
  setup.saved = setup.draft;
  setup.saved_text = explore::write_draft(setup.draft).xml;
  saving_.start<Diagnostics>(
      [file, text = setup.saved_text] {
        Diagnostics diagnostics;
        write_file_atomically(file.toStdString(), text, diagnostics);
        return diagnostics;
      },
      [this, setup, of = followed_](const Diagnostics& diagnostics) {
        if (diagnostics.has_errors()) return show_status(QString::fromStdString(diagnostics.text()).trimmed(), true);
        if (of == followed_) saved(setup);
      });
}

/// What was changed while the file was written stays changed.
void SweepDialog::saved(const SweepSetup& setup) {
  SweepSetup now = setup_of_fields();
  now.draft = explore::moved(now.draft, now.folder(), setup.folder());
  now.file = setup.file;
  now.saved = setup.saved;
  now.saved_text = setup.saved_text;
  show_setup(now);
  edited();
}

void SweepDialog::show_setup(const SweepSetup& setup) {
  setup_ = setup;
  name_->setText(QString::fromStdString(setup.draft.name));
  title_->setText(QString::fromStdString(setup.draft.title));
  for (QLineEdit* field : {name_, title_}) field->setCursorPosition(0);  // long ones are read from their begin
  show_networks(setup.draft.networks);
  show_machines(setup.draft.machines);
  offer_objectives();
  objectives_->show_draft(setup.draft);
  strategy_->show_setup(setup);
  judge();
}

SweepSetup SweepDialog::setup_of_fields() const {
  SweepSetup setup = setup_;
  setup.draft.name = name_->text().toStdString();
  setup.draft.title = title_->text().toStdString();
  setup.draft.networks.clear();
  setup.draft.machines.clear();
  for (const NetworkRow* row : networks_) setup.draft.networks.push_back(row->value());
  for (const MachinesBox* box : machines_) setup.draft.machines.push_back(box->value());
  objectives_->fill(setup.draft);
  strategy_->fill(setup);
  return setup;
}

void SweepDialog::edited() {
  keep(setup_of_fields());
  judge();
}

void SweepDialog::keep(const SweepSetup& setup) {
  const QScopedValueRollback keeping(keeping_, true);
  workbench_.exploration().set_setup(setup);
}

void SweepDialog::offer_objectives() {
  explore::Targets chosen;
  for (const auto& target : workbench_.targets()) {
    const auto has_target = [&](const MachinesBox* box) { return box->value().target == target->id(); };
    if (std::any_of(machines_.begin(), machines_.end(), has_target)) chosen.push_back(target);
  }
  objectives_->offer(explore::objectives_of(chosen));
}

void SweepDialog::judge() {
  offer_objectives();
  const SweepSetup setup = setup_of_fields();
  checked_ = {};
  start_once_checked_ = false;
  const QString saved = setup.is_saved() ? QFileInfo(setup.file).fileName() : tr("not saved");
  file_->setText(setup.file.isEmpty() ? QString() : saved);
  file_->setToolTip(setup.file);
  check_.check(setup);
}

void SweepDialog::take(const CheckedSpace& result) {
  checked_ = result;
  show_messages(result);
  if (start_once_checked_) start();
}

void SweepDialog::show_messages(const CheckedSpace& result) {
  for (NetworkRow* row : networks_) row->show_message({});
  for (MachinesBox* box : machines_) box->clear_messages();
  QStringList general;
  for (const Diagnostic& each : result.diagnostics.items()) {
    if (each.severity != Severity::error) continue;
    const auto line = static_cast<std::size_t>(each.where.line);
    const bool known = each.where.file.empty() && line >= 1 && line <= result.lines.size();
    const explore::DraftPlace place = known ? result.lines[line - 1] : explore::DraftPlace{};
    if (place.part == Part::network && place.index < networks_.size()) {
      networks_[place.index].show_message(sentence(each));
    } else if (known && place.part != Part::space && place.part != Part::objective && place.part != Part::network) {
      machines_[place.machines].show_message(place, sentence(each));
    } else {
      general << sentence(each);
    }
  }
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    machines_[i].show_counts(result.space ? &result.space->families[i] : nullptr);
  }
  if (result.ready()) return show_status(size_text(*result.space), false);
  if (!general.isEmpty()) return show_status(general.join('\n'), true);
  const bool fields = result.diagnostics.has_errors();
  show_status(fields ? tr("Fields above say what is wrong.") : QString(), fields);
}

void SweepDialog::show_status(const QString& text, bool wrong) {
  QPalette palette = status_->palette();
  palette.setColor(QPalette::WindowText, wrong ? workbench_.theme().error : workbench_.theme().text);
  status_->setPalette(palette);
  status_->setText(text);
  start_->setEnabled(!wrong);
}

void SweepDialog::start() {
  if (check_.busy()) {
    start_once_checked_ = true;
    return;
  }
  start_once_checked_ = false;
  if (!checked_.ready()) return;
  const SweepSetup setup = setup_of_fields();
  workbench_.exploration().start_sweep({checked_.space, setup.strategy, setup.results.toStdString(), 0});
  keep(setup);  // after it: what a session keeps is the file, too
  emit started();
}

}  // namespace convscope::ui
