#include "ui/session/session_keeper.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <utility>

#include "core/session/network_reference.h"
#include "ui/document/baselines.h"
#include "ui/document/drafts.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/exploration/exploration_record.h"
#include "ui/document/program_texts.h"
#include "ui/document/session_reading.h"

namespace convscope::ui {
namespace {

struct Writing {
  bool written = false;
  Diagnostics diagnostics;
};

std::string absolute(const std::string& path) {
  return QFileInfo(QString::fromStdString(path)).absoluteFilePath().toStdString();
}

}  // namespace

/// A network file is read for its hash once, not at each save.
struct SessionKeeper::Hashes {
  struct Entry {
    QDateTime modified;
    qint64 size = 0;
    std::optional<std::uint64_t> hash;
  };
  std::map<std::string, Entry> entries;

  std::optional<std::uint64_t> of(const std::string& path) {
    const QFileInfo file(QString::fromStdString(path));
    Entry& entry = entries[path];
    if (entry.modified != file.lastModified() || entry.size != file.size()) {
      Diagnostics unreadable;  // the session then says no more than the path
      entry = {file.lastModified(), file.size(), session::hash_of_file(path, unreadable)};
    }
    return entry.hash;
  }

  void refer(session::NetworkReference& network, const std::string& folder) {
    network.hash = of(network.path);
    network.path = session::path_from(folder, network.path);
  }
};

SessionKeeper::SessionKeeper(Workbench& workbench, std::function<std::map<std::string, std::string>()> layout,
                             QObject* parent)
    : QObject(parent), workbench_(workbench), layout_(std::move(layout)), hashes_(std::make_shared<Hashes>()) {
  connect(&workbench, &Workbench::machine_changed, this, &SessionKeeper::refresh);
  connect(&workbench, &Workbench::baselines_changed, this, &SessionKeeper::refresh);
  connect(&workbench, &Workbench::network_opened, this, &SessionKeeper::refresh);
  connect(&workbench, &Workbench::selection_changed, this, &SessionKeeper::edited);
  connect(&workbench.exploration(), &Exploration::setup_changed, this, &SessionKeeper::refresh);
  connect(&workbench.exploration(), &Exploration::results_opened, this, &SessionKeeper::refresh);
  connect(&workbench.exploration(), &Exploration::quantization_wish_changed, this, &SessionKeeper::refresh);
  connect(&workbench.exploration(), &Exploration::look_changed, this, &SessionKeeper::edited);
  if (Drafts* drafts = drafts_of(workbench)) drafts->on_change(this, [this] { refresh(); });
  if (ProgramTexts* texts = program_texts_of(workbench)) texts->on_change(this, [this] { refresh(); });
  connect(&workbench, &Workbench::session_opened, this,
          [this](const QString& path, const std::shared_ptr<const session::Session>& session) {
            session_opened(path, *session);
          });
  mark_clean();
}

QString SessionKeeper::name() const {
  return path_.isEmpty() ? tr("Untitled") : QFileInfo(path_).completeBaseName();
}

session::Session SessionKeeper::capture() const {
  session::Session result = content();
  result.program = QCoreApplication::applicationVersion().toStdString();
  result.selection = workbench_.snapshot().selection;
  result.theme = workbench_.theme().name.toStdString();
  result.window = layout_();
  result.window.merge(exploration_record(workbench_.exploration()));
  add_work(result);
  const BaselineList& list = workbench_.baselines();
  if (const PinnedBaseline* compared = list.find(list.chosen)) {
    result.window["compared"] = std::to_string(compared - list.entries.data());
  }
  return result;
}

session::Session SessionKeeper::content() const {
  session::Session result;
  if (const auto network = workbench_.network()) {
    const auto sizes = workbench_.input_sizes();
    result.network = session::NetworkReference{absolute(network->source_file), std::nullopt, sizes};
  }
  result.machine = machine_of(workbench_.settings());
  for (const BaselineRecord& each : workbench_.baseline_records()) {
    result.baselines.push_back({each.name.toStdString(),
                                {absolute(each.network_path.toStdString()), std::nullopt, each.sizes},
                                machine_of(each.settings),
                                each.draft ? schedule::write_draft_file(*each.draft) : std::string()});
  }
  result.window = exploration_work(workbench_.exploration());
  add_work(result);
  return result;
}

void SessionKeeper::add_work(session::Session& session) const {
  const Drafts* drafts = drafts_of(workbench_);
  if (const std::string record = drafts == nullptr ? std::string() : drafts->record(); !record.empty())
    session.window["drafts"] = record;
  const ProgramTexts* texts = program_texts_of(workbench_);
  if (const std::string record = texts == nullptr ? std::string() : texts->record(); !record.empty())
    session.window["assembly"] = record;
}

void SessionKeeper::restore_work(const session::Session& session, const QString& path) {
  const auto kept = [&](const char* name) {
    const auto found = session.window.find(name);
    return found == session.window.end() ? std::string() : found->second;
  };
  Diagnostics diagnostics;
  if (Drafts* drafts = drafts_of(workbench_)) drafts->restore(kept("drafts"), path.toStdString(), diagnostics);
  if (ProgramTexts* texts = program_texts_of(workbench_))
    texts->restore(kept("assembly"), path.toStdString(), diagnostics);
  if (!diagnostics.empty()) workbench_.report_session(diagnostics);
}

std::string SessionKeeper::fingerprint(const QString& path) const {
  session::Session saved = content();
  // Looking at one network after another is no work that could be lost.
  if (path.isEmpty()) {
    saved.network.reset();
    saved.window.clear();  // likewise for trying sweeps
    add_work(saved);
  }
  return session::write_session(saved);
}

void SessionKeeper::refresh() {
  const bool before = std::exchange(modified_, fingerprint() != clean_);
  if (before != modified_) emit changed();
  emit edited();
}

void SessionKeeper::mark_clean() {
  clean_ = fingerprint();
  modified_ = false;
  emit changed();
}

void SessionKeeper::write(session::Session session, const QString& path,
                          std::function<void(const Diagnostics&, bool)> done) {
  writing_.start<Writing>(
      [session = std::move(session), path = path.toStdString(), hashes = hashes_]() mutable {
        const std::string folder = QFileInfo(QString::fromStdString(path)).absolutePath().toStdString();
        if (session.network) hashes->refer(*session.network, folder);
        refer_from(folder, session.window);
        for (session::Baseline& each : session.baselines) hashes->refer(each.network, folder);
        Writing result;
        result.written = session::save_session(session, path, result.diagnostics);
        return result;
      },
      [done = std::move(done)](const Writing& result) { done(result.diagnostics, result.written); });
}

void SessionKeeper::save(const QString& path, std::function<void(bool)> done) {
  const QString absolute_path = QFileInfo(path).absoluteFilePath();
  // What is changed while the file is written is not in it.
  write(capture(), absolute_path,
        [this, absolute_path, content = fingerprint(absolute_path), of = sessions_, done = std::move(done)](
            const Diagnostics& diagnostics, bool written) {
          workbench_.report_session(diagnostics);
          if (written && of == sessions_) saved_as(absolute_path, content);
          if (written) emit saved(absolute_path);
          if (done) done(written);
        });
}

void SessionKeeper::saved_as(const QString& path, const std::string& content) {
  path_ = path;
  clean_ = content;
  modified_ = fingerprint() != clean_;
  emit changed();
  emit stored();
  emit edited();
}

void SessionKeeper::save_copy(const QString& path, std::function<void(bool)> done) {
  session::Session session = capture();
  session.autosave_of = path_.toStdString();
  write(std::move(session), path, [done = std::move(done)](const Diagnostics&, bool written) { done(written); });
}

void SessionKeeper::start_new() {
  ++sessions_;
  workbench_.start_session();
  workbench_.exploration().clear();
  restore_work({}, {});
  path_.clear();
  mark_clean();
  emit edited();
}

void SessionKeeper::recover(const QString& autosave) {
  recovering_ = autosave;
  workbench_.open_session(autosave);
}

void SessionKeeper::session_opened(const QString& path, const session::Session& session) {
  ++sessions_;
  const bool is_recovered = path == std::exchange(recovering_, QString());
  path_ = is_recovered ? QString::fromStdString(session.autosave_of) : QFileInfo(path).absoluteFilePath();
  restore_exploration(workbench_.exploration(), session.window, path);
  restore_work(session, path);
  mark_clean();
  if (is_recovered) {
    clean_.clear();
    modified_ = true;
    emit changed();
    emit recovered(path);
  }
  emit opened(session);
  emit edited();
}

}  // namespace convscope::ui
