#include "tests/ui/session.h"

#include <QTest>

namespace convscope::ui::test {
namespace {

constexpr int patience_milliseconds = 60000;

}  // namespace

QString sample(const QString& name) {
  return QStringLiteral(CONVSCOPE_SOURCE_DIR "/samples/networks/") + name + ".xml";
}

bool wait_until(const std::function<bool()>& condition) {
  return QTest::qWaitFor(condition, patience_milliseconds);
}

bool open_and_wait(Workbench& workbench, const QString& path, bool settled) {
  workbench.open_network(path);
  return wait_until([&] { return !workbench.busy() && (!settled || workbench.settled()); }) &&
         workbench.network() != nullptr;
}

std::vector<double> cycles(const Workbench& workbench) {
  std::vector<double> result;
  const auto& compiled = workbench.snapshot().compiled;
  if (!compiled || !compiled->complete) return result;
  for (const auto& layer : compiled->layers) result.push_back(layer->metrics().cycles.value);
  return result;
}

BlockWatch::BlockWatch() {
  since_.start();
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { longest_ = std::max(longest_, since_.restart()); });
  timer_.start(1);
}

}  // namespace convscope::ui::test
