#include <QComboBox>
#include <QKeyEvent>
#include <QToolButton>

#include "ui/model/view_host.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/canvas_search.h"
#include "ui/views/network/network_graph/network_drawings.h"
#include "ui/views/network/network_graph/network_graph_painter.h"

namespace convscope::ui {
namespace {

/// What the user chose about the picture; one object per widget, used on the window's thread alone.
class NetworkGraphTools : public QObject {
 public:
  explicit NetworkGraphTools(CanvasPanel& panel) : QObject(&panel), panel_(panel) {
    add_choices();
    add_fold_buttons();
    panel.add_tool(new CanvasSearch(panel, QStringLiteral("network_search"), QStringLiteral("Search the network")));
    panel.canvas().on_click = [this](QPointF point) { return toggle(painter() ? branch_at(point) : -1); };
    panel.canvas().on_double_click = [this](QPointF point) { return toggle(branch_of_box(point)); };
    panel.canvas().on_key = [this](const QKeyEvent& event) { return key(event); };
  }

  void prepare() {
    panel_.set_prepare([drawings = drawings_, detail = detail_, folds = folds_, colour = colour_](const Snapshot& s) {
      auto network = network_of(s);
      // Branches are numbered in their network; those of another are nothing here.
      const bool own = folds.network.lock() == network;
      return make_network_graph_canvas(
          s, network ? drawings->get(network, detail, own ? folds.branches : std::set<int>()) : nullptr, colour);
    });
  }

 private:
  struct Folds {
    std::weak_ptr<const network::Network> network;
    std::set<int> branches;
  };

  NetworkGraphPainter* painter() const { return dynamic_cast<NetworkGraphPainter*>(panel_.canvas().painter()); }
  int branch_at(QPointF point) const { return painter()->branch_at(point, panel_.canvas().area()); }

  int branch_of_box(QPointF point) const {
    const int box = painter() ? painter()->box_near(point, panel_.canvas().area()) : -1;
    return box < 0 ? -1 : painter()->scene().drawing().content().boxes[static_cast<std::size_t>(box)].branch;
  }

  QComboBox* add_choice(const QString& name, const QString& title, const QString& help) {
    auto* choice = new QComboBox(&panel_);
    choice->setObjectName(name);
    choice->setAccessibleName(title);
    choice->setToolTip(help);
    panel_.add_tool(choice);
    return choice;
  }

  void add_choices() {
    auto* detail = add_choice(QStringLiteral("network_detail"), QStringLiteral("Detail"),
                              QStringLiteral("Blocks put a convolution and what follows it into one box"));
    detail->addItem(QStringLiteral("Blocks"));
    detail->addItem(QStringLiteral("All operators"));
    connect(detail, &QComboBox::currentIndexChanged, this, [this](int index) {
      detail_ = index == 0 ? NetworkDetail::blocks : NetworkDetail::operators;
      folds_ = {};
      prepare();
    });
    auto* colour = add_choice(QStringLiteral("network_colour"), QStringLiteral("Colour"),
                              QStringLiteral("What colours the boxes: the kind of operator, or what they cost"));
    for (const BoxColour each : box_colours) colour->addItem(QStringLiteral("Colour: ") + box_colour_name(each));
    connect(colour, &QComboBox::currentIndexChanged, this, [this](int index) {
      colour_ = box_colours[static_cast<std::size_t>(index)];
      prepare();
    });
  }

  void add_button(const QString& name, const QString& text, const QString& help, std::function<void()> action) {
    auto* button = new QToolButton(&panel_);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(help);
    button->setAccessibleName(help);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, std::move(action));
    panel_.add_tool(button);
  }

  void add_fold_buttons() {
    add_button(QStringLiteral("network_fold_all"), QStringLiteral("Fold"),
               QStringLiteral("Fold all branches between a fork and its join (Shift+[)"), [this] { fold_all(true); });
    add_button(QStringLiteral("network_unfold_all"), QStringLiteral("Unfold"),
               QStringLiteral("Unfold all branches (Shift+])"), [this] { fold_all(false); });
  }

  /// Those of the network that is shown.
  std::set<int>& folded() {
    const auto& network = painter()->scene().drawing().shared_network();
    if (folds_.network.lock() != network) folds_ = {network, {}};
    return folds_.branches;
  }

  bool fold_all(bool fold) {
    if (!painter()) return false;
    folded().clear();
    const auto& branches = painter()->scene().drawing().branches();
    for (int branch = 0; fold && branch < static_cast<int>(branches.size()); ++branch) folded().insert(branch);
    prepare();
    return true;
  }

  /// Unfolds one level: what was folded inside stays so.
  bool toggle(int branch) {
    if (branch < 0) return false;
    if (folded().erase(branch) == 0) folded().insert(branch);
    prepare();
    return true;
  }

  /// The innermost branch around the selected layer that isn't folded, or the outermost that is.
  int branch_around_selection(bool is_folded) {
    const int layer = painter()->selection().layer;
    const auto& drawing = painter()->scene().drawing();
    const int count = static_cast<int>(drawing.branches().size());
    for (int i = 0; i < count; ++i) {
      const int branch = is_folded ? i : count - 1 - i;  // outer ones come first
      if ((folded().count(branch) > 0) == is_folded && drawing.branch_holds(branch, layer)) return branch;
    }
    return -1;
  }

  bool key(const QKeyEvent& event) {
    if (!painter()) return false;
    switch (event.key()) {
      case Qt::Key_Space:
        return toggle(
            painter()->chosen() < 0
                ? -1
                : painter()->scene().drawing().content().boxes[static_cast<std::size_t>(painter()->chosen())].branch);
      case Qt::Key_BraceLeft:
        return fold_all(true);
      case Qt::Key_BraceRight:
        return fold_all(false);
      case Qt::Key_BracketLeft:
        return event.modifiers().testFlag(Qt::ShiftModifier) ? fold_all(true) : toggle(branch_around_selection(false));
      case Qt::Key_BracketRight:
        return event.modifiers().testFlag(Qt::ShiftModifier) ? fold_all(false) : toggle(branch_around_selection(true));
      default:
        return false;
    }
  }

  CanvasPanel& panel_;
  std::shared_ptr<NetworkDrawings> drawings_ = std::make_shared<NetworkDrawings>();
  NetworkDetail detail_ = NetworkDetail::blocks;
  BoxColour colour_ = BoxColour::kind;
  Folds folds_;
};

}  // namespace

QWidget* make_network_graph_widget(ViewHost& host, QWidget* parent) {
  auto* panel = new CanvasPanel(
      host, parent, [](const Snapshot& snapshot) { return make_network_graph_canvas(snapshot, NetworkDetail::blocks); },
      CanvasPanel::Shows::network);
  auto* tools = new NetworkGraphTools(*panel);
  tools->prepare();
  return panel;
}

}  // namespace convscope::ui
