#pragma once
// What to sweep over: networks, machines, objectives, strategy. Everything typed is judged as it is typed, by the
// reader of spaces; 'Start' is there once nothing is wrong. The window stays usable beside it.

#include <QDialog>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

#include "ui/document/exploration/space_check.h"
#include "ui/document/workbench.h"
#include "ui/jobs/read_job.h"
#include "ui/jobs/write_job.h"
#include "ui/panels/sweep_setup/setup_parts.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace convscope::ui {

class MachinesBox;
class NetworkRow;
class ObjectiveBox;
class StrategyBox;

class SweepDialog : public QDialog {
  Q_OBJECT
 public:
  SweepDialog(Workbench& workbench, QWidget* parent);

  /// A parameter of the current machine varies too; machines of its target are added if there are none.
  void vary(int parameter);
  /// Reads a space, in the background; a refused one changes nothing.
  void open_space(const QString& path);
  /// Writes the space, and takes that file as its own from then on.
  void save_space(const QString& path);
  /// Puts everything back to the current machine and network.
  void reset();

  const CheckedSpace& checked() const { return checked_; }
  bool checking() const { return check_.busy(); }

 signals:
  void started();

 private:
  void build();
  QWidget* build_head();
  QWidget* build_networks();
  QWidget* build_foot();
  void show_setup(const SweepSetup& setup);
  void show_networks(const std::vector<explore::DraftNetwork>& networks);
  void show_machines(const std::vector<explore::DraftMachines>& machines);
  void add_network(const explore::DraftNetwork& network);
  void add_open_network();
  void ask_for_networks();
  void add_machines(const explore::DraftMachines& machines);
  void ask_for_space();
  void ask_for_file();
  void load_presets();
  SweepSetup setup_of_fields() const;
  /// Somebody has: the exploration keeps it.
  void edited();
  void keep(const SweepSetup& setup);
  /// What the exploration has now, e.g. of a session; what was asked for before comes too late.
  void follow();
  void saved(const SweepSetup& setup);
  /// Those of the targets whose machines are swept.
  void offer_objectives();
  void judge();
  void take(const CheckedSpace& result);
  void show_messages(const CheckedSpace& result);
  void show_status(const QString& text, bool wrong);
  void start();

  Workbench& workbench_;
  SpaceCheck check_;
  CheckedSpace checked_;
  SweepSetup setup_;  ///< as it was shown: what fields don't hold
  bool start_once_checked_ = false, keeping_ = false;
  int followed_ = 0;  ///< how often
  QLineEdit *name_ = nullptr, *title_ = nullptr;
  QLabel *file_ = nullptr, *status_ = nullptr;
  QPushButton* start_ = nullptr;
  RowList<NetworkRow> networks_;
  RowList<MachinesBox> machines_;
  int networks_made_ = 0, machines_made_ = 0;
  ObjectiveBox* objectives_ = nullptr;
  StrategyBox* strategy_ = nullptr;
  std::map<std::string, QStringList> presets_;  ///< that come with the program, by target
  ReadJob opening_, listing_presets_;
  WriteJob saving_;
};

}  // namespace convscope::ui
