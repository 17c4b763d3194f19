#include "ui/views/program/assembly/assembly_editor.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextDocumentLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/file_to_write.h"
#include "ui/views/program/assembly/assembly_files.h"
#include "ui/views/program/shown_program.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

constexpr int pause_milliseconds = 250;  // typing is over

std::shared_ptr<const engine::CompiledNetwork> run_of(const Snapshot& snapshot) {
  return snapshot.compiled ? snapshot.compiled : snapshot.previous;
}

ProgramTextKey key_of(const Snapshot& snapshot, const target::Target& target) {
  const artifact::Ref& selection = snapshot.selection;
  const bool layer = snapshot.network && selection.layer >= 0 &&
                     static_cast<std::size_t>(selection.layer) < snapshot.network->layers.size();
  return {snapshot.network ? QFileInfo(to_text(snapshot.network->source_file)).fileName().toStdString() : std::string(),
          target.id(), layer ? snapshot.network->layers[static_cast<std::size_t>(selection.layer)].name : std::string(),
          snapshot.program()};
}

QString first_of(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? QStringLiteral("it can't be done") : to_text(diagnostics.items().front().text());
}

}  // namespace

/// The compiler's text of a program.
struct AssemblyEditor::Compilers {
  std::shared_ptr<const target::Target> target;
  std::shared_ptr<const target::Compiled> compiled;
  ProgramTextKey key;
  QString text;
  bool too_long = false;
  int other = -1;  ///< program that has one, if this one has no text
};

namespace {

std::string assembly_of(const target::Compiled& compiled, int program) {
  const auto listing = compiled.listing(program);
  return listing ? listing->assembly : std::string();
}

/// Takes as long as listings take to be made.
int program_with_assembly(const target::Compiled& compiled) {
  for (int program = 0; program < compiled.program_count(); ++program)
    if (!assembly_of(compiled, program).empty()) return program;
  return -1;
}

}  // namespace

AssemblyEditor::AssemblyEditor(CanvasPanel& panel)
    : QObject(&panel), panel_(panel), store_(program_text_store(panel.host())), bar_(make_bar()), area_(make_area()) {
  panel_.add_tool(bar_);
  if (auto* column = qobject_cast<QBoxLayout*>(panel_.layout())) column->addWidget(area_, 1);
  bar_->hide();
  area_->hide();
  soon_.setSingleShot(true);
  soon_.setInterval(pause_milliseconds);
  connect(&soon_, &QTimer::timeout, this, [this] { judge(AssemblyStep::assemble); });
  text_->installEventFilter(this);
  area_->installEventFilter(this);  // what changed while nobody looked is taken when somebody does
  text_->set_theme(panel_.host().theme());
  on_change(panel_.host(), this, Change::theme, [this] { text_->set_theme(panel_.host().theme()); });
  on_change(panel_.host(), this, Change::network | Change::results | Change::selection, [this] { take_program(); });
  if (store_ != nullptr) store_->on_change(this, [this] { show_document(true); });
}

bool AssemblyEditor::idle() const {
  return !soon_.isActive() && !fetching_.running() && !judging_.running() && !reading_.running();
}

void AssemblyEditor::begin() {
  active_ = true;
  panel_.show_canvas(false);
  panel_.setFocusProxy(text_);
  bar_->show();
  area_->show();
  text_->setFocus();
}

void AssemblyEditor::end() {
  if (!active_) return;
  keep_text();
  active_ = false;
  judging_.forget();
  soon_.stop();
  bar_->hide();
  area_->hide();
  panel_.setFocusProxy(&panel_.canvas());
  panel_.show_canvas(true);
}

void AssemblyEditor::nothing_to_edit(const QString& why) {
  keep_text();
  key_.reset();
  fetched_.reset();
  soon_.stop();
  judging_.forget();
  bar_->setEnabled(false);
  text_->setEnabled(false);
  list({});
  text_->set_findings({});
  say(why);
}

void AssemblyEditor::take_program() {
  if (!active_ || !area_->isVisible()) return;
  const Snapshot& snapshot = panel_.host().snapshot();
  const auto run = run_of(snapshot);
  const auto compiled = snapshot.programs();
  if (compiled && compiled == fetched_.lock() && key_ == key_of(snapshot, *run->target)) return;
  fetching_.forget();
  if (!run || !compiled || compiled->program_count() == 0)
    return nothing_to_edit(missing_message(snapshot, QStringLiteral("program")));
  if (!has_assembler(*run->target))
    return nothing_to_edit(
        QStringLiteral("%1 has no assembler: its programs can't be written here.").arg(to_text(run->target->title())));
  // A listing may be long in the making.
  fetching_.start<Compilers>(
      [target = run->target, compiled, key = key_of(snapshot, *run->target)](const std::stop_token&) {
        const std::string assembly = assembly_of(*compiled, key.program);
        Compilers made{target, compiled, key, {}, assembly.size() > longest_program_text};
        if (!made.too_long) made.text = to_text(assembly);
        if (assembly.empty()) made.other = program_with_assembly(*compiled);
        return made;
      },
      [this](const Compilers& compilers) { take_text(compilers); });
}

void AssemblyEditor::take_text(const Compilers& compilers) {
  if (compilers.too_long)
    return nothing_to_edit(
        QStringLiteral("This program's text is too long to be edited here: convscope-cli compile writes it."));
  if (compilers.text.isEmpty())
    return nothing_to_edit(compilers.other < 0
                               ? QStringLiteral("This program has no assembly text.")
                               : words_of_other_program(*compilers.compiled, compilers.key.program, compilers.other,
                                                        QStringLiteral("assembly text")));
  keep_text();  // also what was typed a moment ago
  const bool same = key_ == compilers.key;
  const bool moved_on = same && original_ != compilers.text;
  key_ = compilers.key;
  target_ = compilers.target;
  fetched_ = compilers.compiled;
  original_ = compilers.text;
  bar_->setEnabled(true);
  text_->setEnabled(true);
  show_document(same);
  if (moved_on && text_->toPlainText() != original_)
    say(QStringLiteral("The compiler's program has changed; this text is still yours (Text, Begin again)."));
}

// What the store has of the program, or the compiler's text. A document that somebody has changed keeps its undo steps.
void AssemblyEditor::show_document(bool same_program) {
  if (!active_ || !key_ || taking_) return;
  taking_ = true;
  QTextDocument*& document = documents_[*key_];
  const bool fresh = document == nullptr;
  if (fresh) {
    document = new QTextDocument(area_);  // goes after what shows it
    document->setDocumentLayout(new QPlainTextDocumentLayout(document));
    document->setDefaultFont(text_->font());
    connect(document, &QTextDocument::contentsChanged, this, [this, document] {
      if (text_->document() == document) text_changed();
    });
  }
  const auto kept = store_ == nullptr ? nullptr : store_->find(*key_);
  const bool alone = document->isModified() && (store_ == nullptr || full_);  // the only place that has it
  const QString wanted = kept ? to_text(*kept) : alone ? document->toPlainText() : original_;
  const bool differs = fresh || document->toPlainText() != wanted;
  if (differs) {
    document->setPlainText(wanted);
    document->setModified(wanted != original_);
  }
  if (text_->document() != document) text_->setDocument(document);
  taking_ = false;
  if (differs || !same_program) {
    text_->set_findings({});
    list({});
    judge(AssemblyStep::assemble);
  }
}

void AssemblyEditor::replace_text(const QString& text) {
  QTextCursor cursor(text_->document());
  cursor.select(QTextCursor::Document);
  cursor.insertText(text);
}

void AssemblyEditor::restore() {
  if (key_) replace_text(original_);
}

void AssemblyEditor::text_changed() {
  if (taking_ || !key_) return;
  judging_.forget();
  give_up_->hide();
  soon_.start();
}

void AssemblyEditor::keep_text() {
  if (!key_ || store_ == nullptr || taking_) return;
  taking_ = true;  // the store tells of what comes from here, too
  const QString now = text_->toPlainText();
  full_ = false;
  if (now == original_)
    store_->forget(*key_);
  else
    full_ = !store_->keep(*key_, now.toStdString());
  taking_ = false;
}

void AssemblyEditor::judge(AssemblyStep step) {
  if (!key_) return;
  soon_.stop();
  keep_text();
  give_up_->setVisible(step != AssemblyStep::assemble);
  if (step != AssemblyStep::assemble)
    say(step == AssemblyStep::verify ? QStringLiteral("Verifying…") : QStringLiteral("Simulating…"));
  judging_.start<AssemblyVerdict>(
      [target = target_, text = content(), step](const std::stop_token& stop) {
        return judge_assembly(*target, text, step, stop);
      },
      [this](const AssemblyVerdict& verdict) { show_verdict(verdict); });
}

void AssemblyEditor::show_verdict(const AssemblyVerdict& verdict) {
  give_up_->hide();
  text_->set_findings(verdict.findings);
  list(verdict.findings);
  const QString whose =
      text_->toPlainText() == original_ ? QStringLiteral("The compiler's program. ") : QStringLiteral("Your program. ");
  const QString room =
      full_ ? QStringLiteral(" There is no room for it in the session: save it as a file.") : QString();
  say(whose + verdict.text + room);
}

void AssemblyEditor::list(const std::vector<AssemblyFinding>& findings) {
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (const AssemblyFinding& each : findings) {
    auto* item = new QListWidgetItem(
        each.line > 0 ? QStringLiteral("line %1: %2").arg(each.line).arg(each.text) : each.text, list_);
    item->setData(Qt::UserRole, each.line);
  }
  list_->setVisible(list_->count() > 0);
}

void AssemblyEditor::go_to_finding(int by) {
  const int line = text_->next_finding(by);
  if (line == 0) return;
  text_->go_to_line(line);
  const QSignalBlocker quiet(list_);
  for (int i = 0; i < list_->count(); ++i) {
    if (list_->item(i)->data(Qt::UserRole).toInt() != line) continue;
    list_->setCurrentRow(i);
    return;
  }
}

bool AssemblyEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == area_ && event->type() == QEvent::Show) take_program();
  if (watched != text_ || event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
  return key_pressed(*static_cast<QKeyEvent*>(event));
}

bool AssemblyEditor::key_pressed(const QKeyEvent& key) {
  const bool shifted = key.modifiers().testFlag(Qt::ShiftModifier);
  if (key.key() == Qt::Key_F8) {
    go_to_finding(shifted ? -1 : 1);
    return true;
  }
  const bool entered = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
  if (!entered || !key.modifiers().testFlag(Qt::ControlModifier)) return false;
  judge(shifted ? AssemblyStep::verify : AssemblyStep::simulate);
  return true;
}

void AssemblyEditor::ask_to_open() {
  const QString path =
      QFileDialog::getOpenFileName(&panel_, QStringLiteral("Open a program"), {},
                                   QStringLiteral("Assembly and program files (*.s *.json);;All files (*)"));
  if (!path.isEmpty()) open(path);
}

void AssemblyEditor::open(const QString& path) {
  if (!key_) return;
  reading_.start<ReadAssembly>(
      [target = target_, file = path.toStdString()](const std::stop_token&) { return read_assembly(*target, file); },
      [this, key = *key_](const ReadAssembly& read) {
        if (!read.text) return say(QStringLiteral("Not opened: %1").arg(first_of(read.diagnostics)));
        if (key_ == key) replace_text(to_text(*read.text));
      });
}

void AssemblyEditor::ask_to_save(bool as_program) {
  if (!key_) return;
  const QString end = as_program ? QStringLiteral(".%1.json").arg(to_text(key_->target)) : QStringLiteral(".s");
  const QString filter = as_program ? QStringLiteral("Program files (*.json)") : QStringLiteral("Assembly (*.s)");
  const QString path = ask_for_file_to_write(&panel_, QStringLiteral("Save the program"), program_file_name(*key_, end),
                                             filter, as_program ? QStringLiteral("json") : QStringLiteral("s"));
  if (!path.isEmpty()) save(path);
}

void AssemblyEditor::save(const QString& path) {
  if (!key_) return;
  writing_.start<SavedAssembly>(
      [target = target_, text = content(), file = path.toStdString()] { return save_assembly(*target, text, file); },
      [this, path](const SavedAssembly& saved) {
        say(saved.written ? QStringLiteral("Saved: %1").arg(path)
                          : QStringLiteral("Not saved: %1").arg(first_of(saved.diagnostics)));
      });
}

void AssemblyEditor::say(const QString& text) {
  message_->setText(text);
}

}  // namespace convscope::ui
