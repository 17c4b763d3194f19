// A network that takes several images at once: its table, its totals and its shapes in the window.

#include <QTemporaryDir>
#include <algorithm>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/ui/open_size_network.h"
#include "tests/ui/session.h"
#include "ui/model/network_words.h"
#include "ui/model/shown_run.h"
#include "ui/panels/layers/layer_columns.h"
#include "ui/window/run_summary.h"
#include "ui/words/layer_facts.h"

namespace convscope::ui::test {
namespace {

class BatchFiguresTest : public testing::Test {
 protected:
  void SetUp() override {
    workbench.set_target("nmp");
    ASSERT_TRUE(open_and_wait(workbench, open_batch_network(folder)));
  }
  void take(int images) {
    network::InputSizes sizes = *workbench.input_sizes();
    sizes.batch = images;
    workbench.set_input_sizes(sizes);
    ASSERT_TRUE(wait_until([&] {
      return !workbench.busy() && workbench.network()->batch == images && network_result(workbench.snapshot());
    }));
  }
  std::optional<LayerCell> cell(const std::string& key) const {
    const auto columns = layer_columns(workbench.snapshot(), *workbench.network());
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& each) { return each.key == key; });
    if (found == columns.end()) return std::nullopt;
    return found->cell(workbench.snapshot(), *workbench.network(), 0);
  }
  QString summary() const {
    const auto run = network_result(workbench.snapshot());
    return figures_in_summary(workbench.snapshot(), *run).join(QChar('\n'));
  }

  QTemporaryDir folder;
  Workbench workbench{catalogue::standard()};
};

TEST_F(BatchFiguresTest, StandBesideThoseOfOneImage) {
  EXPECT_FALSE(cell("batch_seconds"));
  EXPECT_FALSE(summary().contains("batch"));
  const double one = cell("seconds")->value.toDouble();
  take(4);
  EXPECT_EQ(cell("seconds")->value.toDouble(), one);
  ASSERT_TRUE(cell("batch_seconds"));
  EXPECT_GT(cell("batch_seconds")->value.toDouble(), one);
  EXPECT_LE(cell("batch_seconds")->value.toDouble(), 4 * one);
  EXPECT_TRUE(cell("batch_bytes_weights")->tip.contains("weights"));
  EXPECT_TRUE(summary().contains("batch of 4: ")) << summary().toStdString();
  EXPECT_TRUE(summary_tip(workbench.snapshot(), *network_result(workbench.snapshot())).contains("batch of 4"));
}

TEST_F(BatchFiguresTest, LeaveShapesOfAllImagesInTheGraph) {
  EXPECT_EQ(output_shape_text(*workbench.network(), 0), "1 x 2 x 6 x 6");
  take(4);
  EXPECT_EQ(output_shape_text(*workbench.network(), 0), "4 x 2 x 6 x 6");
  EXPECT_EQ(input_shape_text(*workbench.network(), 0), "4 x 3 x 8 x 8");
}

TEST_F(BatchFiguresTest, UnknownCoverageSaysSo) {
  engine::CompiledNetwork run = *network_result(workbench.snapshot());
  EXPECT_EQ(coverage_text(run), "100.0 % of the MACs mapped");
  auto unknown = std::make_shared<network::Network>(*run.network);
  run.coverage.reset();
  EXPECT_EQ(coverage_text(run), "no MACs");
  unknown->layers[0].other.known = false;
  run.network = unknown;
  EXPECT_EQ(coverage_text(run), "coverage unknown");
  EXPECT_TRUE(figures_in_summary(workbench.snapshot(), run).contains("coverage unknown"));
}

}  // namespace
}  // namespace convscope::ui::test
