#pragma once
// A lab that somebody works on: what was answered, and what becomes of it with the machine in the window.

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>

#include "core/labs/check.h"
#include "core/labs/open_lab.h"
#include "core/labs/submission.h"
#include "ui/document/workbench.h"
#include "ui/jobs/latest_job.h"
#include "ui/jobs/write_job.h"

namespace convscope::ui {

class LabWork : public QObject {
  Q_OBJECT
 public:
  explicit LabWork(Workbench& workbench, QObject* parent = nullptr);

  /// Reads a lab in the background; `opened` follows, and the lab's network and machine are in the window; or `failed`.
  void open(const QString& folder);
  /// Opens a lab as a session has it: what was handed in until then as the text of a submission. Network and machine
  /// are the session's. `opened` follows, or `failed`.
  void resume(const QString& folder, const std::string& handed_in);
  /// What `resume` takes, of the lab that is open: answers, programs, tilings, without the machine.
  std::string record() const;
  /// Null before one is open.
  const labs::OpenLabPointer& lab() const { return lab_; }
  /// What would be handed in: answers, and of the machine in the window what differs from the lab's.
  labs::Submission submission() const;
  /// Of what is handed in now; nothing while it is not known.
  const std::optional<labs::Outcome>& outcome() const { return outcome_; }

  void set_by(const QString& name);
  void set_answer(const std::string& question, const QString& text);
  /// Takes the text of a file in the background; `failed` tells if it can't be read.
  void load_program(const std::string& name, const QString& path);
  /// Takes the schedule that was made by hand for the program that is wanted; `failed` tells if there is none.
  void take_draft(const std::string& name);
  /// Takes the program's assembly as it was edited; `failed` tells if it was not.
  void take_text(const std::string& name);
  /// Counts one more of a task's hints as opened; does nothing if all are.
  void open_hint(const labs::Task& task);
  int opened_hints(const labs::Task& task) const { return handed_in_.opened_hints(task.name); }
  void set_tiling(const std::string& name, const QString& strategy, const QString& sizes);
  /// Does what a link of the lab's text says; `view_wanted` or `failed` may follow.
  void follow(const QString& link);
  /// Writes the submission in the background; `saved` or `failed` follows.
  void hand_in(const QString& path);

 signals:
  void opened();
  void checked();
  void saved(const QString& path);
  void failed(const QString& why);
  void view_wanted(const QString& id);
  void program_taken(const QString& name, const QString& what);  ///< that is handed in, in a few words

 private:
  void take(const labs::OpenLabPointer& lab);
  void hand_program(const std::string& name, std::string text);
  void tell_of(const labs::HandedProgram& program);
  void check_soon();
  void check();

  Workbench& workbench_;
  labs::OpenLabPointer lab_;
  labs::Submission handed_in_;  ///< without the machine
  std::optional<labs::Outcome> outcome_;
  std::shared_ptr<target::PassCache> cache_;
  QTimer soon_;
  LatestJob reading_, checking_, loading_;
  WriteJob writing_;
};

}  // namespace convscope::ui
