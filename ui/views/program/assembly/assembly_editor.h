#pragma once
// The program view's other half: a program's assembly as text that one can change. Checked while one types, verified
// and simulated on demand, saved as text or as a program file. All that takes time runs in the background.

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "ui/jobs/latest_job.h"
#include "ui/jobs/read_job.h"
#include "ui/jobs/write_job.h"
#include "ui/model/program_text_store.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/program/assembly/assembly_text.h"

class QKeyEvent;
class QLabel;
class QListWidget;
class QTextDocument;
class QToolButton;

namespace convscope::ui {

class AssemblyEditor : public QObject {
 public:
  /// Adds its tools to the panel, hidden until `begin`.
  explicit AssemblyEditor(CanvasPanel& panel);

  /// The panel shows the text of whatever program is selected, until `end`.
  void begin();
  void end();
  bool active() const { return active_; }
  AssemblyText& text() { return *text_; }
  /// Nothing runs, and nothing is about to.
  bool idle() const;

  /// Looks at the text; of `simulate`, on the simulator's default input.
  void judge(AssemblyStep step);
  /// Takes the text of a file: assembly, or a program file of the target, as one undo step.
  void open(const QString& path);
  /// As assembly if the name ends in ".s", else as a program file, which has to assemble.
  void save(const QString& path);
  /// The compiler's text again, as one undo step.
  void restore();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Compilers;

  QWidget* make_bar();
  QWidget* make_area();
  void take_program();
  void take_text(const Compilers& compilers);
  void show_document(bool same_program);
  void replace_text(const QString& text);
  void nothing_to_edit(const QString& why);
  bool key_pressed(const QKeyEvent& key);
  void text_changed();
  void keep_text();
  void show_verdict(const AssemblyVerdict& verdict);
  void list(const std::vector<AssemblyFinding>& findings);
  void go_to_finding(int by);
  void ask_to_open();
  void ask_to_save(bool as_program);
  void say(const QString& text);
  std::string content() const { return text_->toPlainText().toStdString(); }

  CanvasPanel& panel_;
  ProgramTextStore* store_;  ///< null: nobody keeps texts
  AssemblyText* text_ = nullptr;
  QListWidget* list_ = nullptr;
  QLabel* message_ = nullptr;
  QToolButton* give_up_ = nullptr;
  QWidget *bar_ = nullptr, *area_ = nullptr;  // made of those above
  bool active_ = false, taking_ = false, full_ = false;
  std::optional<ProgramTextKey> key_;              ///< of what is shown; none if nothing is
  std::shared_ptr<const target::Target> target_;   ///< whose text it is
  std::weak_ptr<const target::Compiled> fetched_;  ///< whose text `original_` is
  QString original_;                               ///< the compiler's
  std::map<ProgramTextKey, QTextDocument*> documents_;
  QTimer soon_;
  LatestJob fetching_, judging_;
  ReadJob reading_;
  WriteJob writing_;
};

}  // namespace convscope::ui
