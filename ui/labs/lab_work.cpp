#include "ui/labs/lab_work.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/explore/sweep/callers_thread.h"
#include "core/labs/links.h"
#include "core/labs/submitted_machine.h"
#include "core/target/drafts.h"
#include "ui/model/draft_store.h"
#include "ui/model/program_text_store.h"

namespace convscope::ui {
namespace {

constexpr int pause_milliseconds = 200;  // typing and dragging are over

QString text_of(const Diagnostics& diagnostics) {
  return QString::fromStdString(diagnostics.text()).trimmed();
}

/// As everywhere, work throws nothing but Cancelled: a fault of ours becomes a refusal that says so.
labs::Outcome outcome_of(const labs::OpenLab& lab, const labs::Submission& submission, target::PassCache& cache,
                         const std::stop_token& stop) {
  explore::CallersThread executor;
  try {
    return labs::check(lab, submission, {}, {executor, cache, stop});
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& fault) {
    return labs::refused(lab.lab, submission.by, {fault.what()});
  }
}

std::string name_of_file(const std::string& path) {
  return QFileInfo(QString::fromStdString(path)).fileName().toStdString();
}

template <typename Item>
Item& named(std::vector<Item>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& each) { return each.name == name; });
  if (found != items.end()) return *found;
  items.push_back({});
  items.back().name = name;
  return items.back();
}

}  // namespace

LabWork::LabWork(Workbench& workbench, QObject* parent)
    : QObject(parent), workbench_(workbench), cache_(engine::make_memory_cache()) {
  soon_.setSingleShot(true);
  soon_.setInterval(pause_milliseconds);
  connect(&soon_, &QTimer::timeout, this, &LabWork::check);
  connect(&workbench, &Workbench::machine_changed, this, &LabWork::check_soon);
}

void LabWork::open(const QString& folder) {
  using Read = std::pair<labs::OpenLabPointer, Diagnostics>;
  reading_.start<Read>(
      [path = folder.toStdString(), catalogue = workbench_.catalogue()](const std::stop_token&) {
        Read read;
        read.first = labs::open_lab(path, *catalogue, read.second);
        return read;
      },
      [this](const Read& read) {
        if (!read.first) return emit failed(text_of(read.second));
        take(read.first);
      });
}

void LabWork::resume(const QString& folder, const std::string& handed_in) {
  struct Resumed {
    labs::OpenLabPointer lab;
    std::optional<labs::Submission> submission;
    Diagnostics diagnostics;
  };
  reading_.start<Resumed>(
      [path = folder.toStdString(), handed_in, catalogue = workbench_.catalogue()](const std::stop_token&) {
        Resumed read;
        read.lab = labs::open_lab(path, *catalogue, read.diagnostics);
        if (read.lab) read.submission = labs::read_submission(handed_in, path, read.diagnostics);
        return read;
      },
      [this](const Resumed& read) {
        if (!read.lab) return emit failed(text_of(read.diagnostics));
        lab_ = read.lab;
        outcome_.reset();
        const bool fits = read.submission && read.submission->lab == lab_->lab.name;
        handed_in_ = fits ? *read.submission : labs::Submission{.lab = lab_->lab.name};
        handed_in_.hash = lab_->hash;
        emit opened();
        for (const labs::HandedProgram& each : handed_in_.programs) tell_of(each);
        if (!fits) emit failed(tr("What was handed in until then can't be read: %1").arg(text_of(read.diagnostics)));
        check_soon();
      });
}

std::string LabWork::record() const {
  return lab_ ? labs::write_submission(handed_in_) : std::string();
}

void LabWork::take(const labs::OpenLabPointer& lab) {
  lab_ = lab;
  outcome_.reset();
  handed_in_ = {.lab = lab->lab.name, .hash = lab->hash, .by = handed_in_.by};
  workbench_.open_network(QString::fromStdString(lab->network_file));
  Settings settings{lab->target, lab->start, lab->start, QString::fromStdString(lab->preset),
                    QString::fromStdString(lab->level)};
  workbench_.take_machine(settings, tr("Open lab %1").arg(QString::fromStdString(lab->lab.title)));
  emit opened();
  check_soon();
}

labs::Submission LabWork::submission() const {
  labs::Submission submission = handed_in_;
  if (!lab_) return submission;
  const Settings& settings = workbench_.settings();
  if (settings.target != lab_->target) return submission;
  submission.parameters = labs::differences(*lab_, settings.values);
  if (settings.level.toStdString() != lab_->level) submission.level = settings.level.toStdString();
  return submission;
}

void LabWork::set_by(const QString& name) {
  handed_in_.by = name.simplified().toStdString();
}

void LabWork::set_answer(const std::string& question, const QString& text) {
  std::erase_if(handed_in_.answers, [&](const labs::Answer& each) { return each.question == question; });
  if (const QString answer = text.simplified(); !answer.isEmpty())
    handed_in_.answers.push_back({question, answer.toStdString()});
  check_soon();
}

void LabWork::load_program(const std::string& name, const QString& path) {
  using Read = std::pair<std::optional<std::string>, Diagnostics>;
  loading_.start<Read>(
      [file = path.toStdString()](const std::stop_token&) {
        Read read;
        read.first = read_file(file, read.second, labs::largest_submission);
        return read;
      },
      [this, name](const Read& read) {
        if (!read.first) return emit failed(text_of(read.second));
        hand_program(name, *read.first);
      });
}

void LabWork::hand_program(const std::string& name, std::string text) {
  labs::HandedProgram& program = named(handed_in_.programs, name);
  program.text = std::move(text);
  tell_of(program);
  check_soon();
}

void LabWork::tell_of(const labs::HandedProgram& program) {
  const std::string& text = program.text;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string::npos && text[first] == '{';
  const auto lines = std::count(text.begin(), text.end(), '\n');
  emit program_taken(QString::fromStdString(program.name),
                     schedule::is_draft_file(text) ? tr("a schedule made by hand is handed in")
                     : json                        ? tr("a program file is handed in")
                                                   : tr("%1 lines of assembly are handed in").arg(lines));
}

void LabWork::take_text(const std::string& name) {
  const labs::ProgramWanted* wanted = lab_ ? labs::find_named(lab_->lab.programs, name) : nullptr;
  const ProgramTextStore* store = program_text_store(workbench_);
  if (wanted == nullptr || store == nullptr) return;
  const auto text = store->find({name_of_file(lab_->network_file), lab_->target->id(), wanted->layer, wanted->program});
  if (!text)
    return emit failed(tr("Nobody has edited this program's assembly: view Program, Assembly text, layer %1.")
                           .arg(wanted->layer.c_str()));
  hand_program(name, *text);
}

void LabWork::take_draft(const std::string& name) {
  const labs::ProgramWanted* wanted = lab_ ? labs::find_named(lab_->lab.programs, name) : nullptr;
  const auto run = workbench_.snapshot().compiled;
  const auto index = wanted == nullptr ? std::nullopt : lab_->layer(wanted->layer);
  if (!index || !run || *index >= run->layers.size() || !run->layers[*index])
    return emit failed(tr("The program is not compiled yet."));
  using Hash = std::optional<std::uint64_t>;
  loading_.start<Hash>(
      [layer = run->layers[*index], program = wanted->program](const std::stop_token&) {
        const auto tools = target::draft_tools(*layer, program);
        return tools ? Hash(tools->problem()->hash()) : Hash();
      },
      [this, name, layer = wanted->layer, program = wanted->program](const Hash& hash) {
        const DraftStore* store = draft_store(workbench_);
        const auto draft =
            hash && store != nullptr ? store->find({name_of_file(lab_->network_file), layer, program, *hash}) : nullptr;
        if (!draft)
          return emit failed(tr("There is no schedule made by hand of this program: view Schedule, By hand, layer %1.")
                                 .arg(QString::fromStdString(layer)));
        hand_program(name, schedule::write_draft_file(*draft));
      });
}

void LabWork::follow(const QString& link) {
  if (!lab_) return;
  Diagnostics diagnostics;
  const auto read = labs::read_link(*lab_, link.toStdString(), {}, diagnostics);
  if (!read) return emit failed(text_of(diagnostics));
  if (read->kind == labs::Link::Kind::view) return emit view_wanted(QString::fromStdString(read->name));
  if (workbench_.target() != lab_->target) return emit failed(tr("The window shows another target than the lab's."));
  if (read->kind == labs::Link::Kind::level) return workbench_.set_level(QString::fromStdString(read->name));
  if (read->kind == labs::Link::Kind::set) {
    Settings settings = workbench_.settings();
    if (!settings.values.set(read->name, read->value, diagnostics)) return emit failed(text_of(diagnostics));
    return workbench_.take_machine(
        settings, tr("Set %1 to %2").arg(QString::fromStdString(read->name), QString::fromStdString(read->value)));
  }
  artifact::Ref ref;
  ref.layer = static_cast<std::int32_t>(lab_->layer(read->name).value_or(0));
  workbench_.select(ref);
}

void LabWork::set_tiling(const std::string& name, const QString& strategy, const QString& sizes) {
  labs::HandedTiling& tiling = named(handed_in_.tilings, name);
  tiling.strategy = strategy.simplified().toStdString();
  tiling.sizes.clear();
  for (const std::string& each : words(sizes.toStdString(), " ,;\t")) {
    const std::size_t equals = std::min(each.find('='), each.size());
    const auto value = parse_integer<std::int64_t>(each.substr(std::min(equals + 1, each.size())));
    if (value) tiling.sizes.push_back({each.substr(0, equals), *value});
  }
  if (tiling.strategy.empty())
    std::erase_if(handed_in_.tilings, [&](const labs::HandedTiling& each) { return each.name == name; });
  check_soon();
}

void LabWork::open_hint(const labs::Task& task) {
  const int opened = opened_hints(task);
  if (opened >= static_cast<int>(task.hints.size())) return;
  std::erase_if(handed_in_.hints, [&](const labs::OpenedHints& each) { return each.task == task.name; });
  handed_in_.hints.push_back({task.name, opened + 1});
}

void LabWork::check_soon() {
  if (lab_) soon_.start();
}

void LabWork::check() {
  if (!lab_) return;
  if (workbench_.target() != lab_->target) {
    outcome_ = labs::refused(lab_->lab, {}, {tr("the window shows another target than the lab's").toStdString()});
    return emit checked();
  }
  checking_.start<labs::Outcome>([lab = lab_, handed_in = submission(), cache = cache_](
                                     const std::stop_token& stop) { return outcome_of(*lab, handed_in, *cache, stop); },
                                 [this](labs::Outcome outcome) {
                                   outcome_ = std::move(outcome);
                                   emit checked();
                                 });
}

void LabWork::hand_in(const QString& path) {
  using Written = std::pair<bool, Diagnostics>;
  writing_.start<Written>(
      [handed_in = submission(), file = path.toStdString()] {
        Written written;
        written.first = labs::save_submission(handed_in, file, written.second);
        return written;
      },
      [this, path](const Written& written) {
        if (!written.first) return emit failed(text_of(written.second));
        emit saved(path);
      });
}

}  // namespace convscope::ui
