// The paper's figures out of our model: what must hold of each.

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>

#include "core/figures/tso/tso_networks.h"
#include "figures_fixture.h"

namespace convscope::figures {
namespace {

using testing::HasSubstr;
using TsoFigures = FiguresFixture;

TEST_F(TsoFigures, SamplesHaveThePapersConvolutionsAndTableOnesNames) {
  std::vector<std::size_t> convolutions;
  for (const TsoNetwork& network : tso_networks(environment_, diagnostics_)) {
    convolutions.push_back(network.convolutions.size());
    EXPECT_TRUE(published_.find("tso-table1-burst", network.network->name, "", "seconds")) << network.network->name;
  }
  EXPECT_EQ(convolutions, (std::vector<std::size_t>{94, 2, 52, 53, 26}));
}

TEST_F(TsoFigures, Fig1CountsThePapersBursts) {
  const Figure figure = make("tso-fig1");
  ASSERT_EQ(figure.rows.size(), 5u);
  const double bursts[] = {1024, 512, 256, 70, 176};
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    EXPECT_EQ(value(figure, row, "bursts here"), bursts[row]) << row;
    EXPECT_EQ(value(figure, row, "bursts published"), bursts[row]) << row;
  }
  EXPECT_EQ(cell(figure, 3, "IN tile").text, "14 x 4 x 73");
  EXPECT_EQ(cell(figure, 4, "IN tile").text, "16 x 11 x 20");
  EXPECT_GT(value(figure, 0, "us here"), value(figure, 1, "us here"));
  EXPECT_GT(value(figure, 1, "us here"), value(figure, 2, "us here"));
}

TEST_F(TsoFigures, Table1HasAllColumnsAndTsoWithinItsTolerance) {
  const Figure figure = make("tso-table1");
  std::map<std::string, int> rows;
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const std::string network = figure.rows[row][0].text, strategy = figure.rows[row][1].text;
    ++rows[network];
    if (network == "mean error" || network == "largest error") {
      if (strategy == "TSO") {
        EXPECT_LE(*value(figure, row, "error"), network == "mean error" ? 0.075 : 0.18);
      }
      continue;
    }
    EXPECT_TRUE(value(figure, row, "us published")) << network << strategy;
    EXPECT_EQ(value(figure, row, "us here").has_value(), network != "YOLO") << network << strategy;
    if (network != "YOLO") {
      EXPECT_NEAR(*value(figure, row, "error"),
                  *value(figure, row, "us here") / *value(figure, row, "us published") - 1, 1e-12);
    }
  }
  for (const auto& [network, count] : rows) EXPECT_EQ(count, 8) << network;
  EXPECT_EQ(rows.size(), 8u);  // six networks, mean and largest error
}

TEST_F(TsoFigures, Table1CountsErrorsOfTheFiveNetworks) {
  const Figure figure = make("tso-table1");
  double sum = 0, mean = 0;
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    if (figure.rows[row][1].text != "OS") continue;
    if (figure.rows[row][0].text == "mean error") mean = *value(figure, row, "error");
    if (value(figure, row, "us here")) sum += std::abs(*value(figure, row, "error"));
  }
  EXPECT_GT(mean, 0);
  EXPECT_NEAR(mean, sum / 5, 1e-12);
}

TEST_F(TsoFigures, NothingIsFasterThanTso) {
  for (const char* id : {"tso-fig8", "tso-fig12", "tso-fig13"}) {
    const Figure figure = make(id);
    EXPECT_EQ(figure.rows.size(), std::string(id) == "tso-fig8" ? 6u : 18u) << id;
    for (std::size_t row = 0; row < figure.rows.size(); ++row) {
      const auto ours = value(figure, row, "speed-up here");
      if (ours) {
        EXPECT_GE(*ours, -1e-12) << id << row;
      }
      EXPECT_GE(*value(figure, row, "speed-up of Table I"), 0) << id << row;
    }
  }
}

// The text rounds what its own table says.
TEST_F(TsoFigures, SpeedupsInTheTextAreThoseOfTableOne) {
  int stated = 0;
  for (const char* id : {"tso-fig8", "tso-fig12", "tso-fig13"}) {
    const Figure figure = make(id);
    for (std::size_t row = 0; row < figure.rows.size(); ++row) {
      const auto text = value(figure, row, "speed-up in the text");
      if (!text) continue;
      ++stated;
      EXPECT_NEAR(*text, *value(figure, row, "speed-up of Table I"), 0.001) << id << row;
    }
  }
  EXPECT_EQ(stated, 8);
}

TEST_F(TsoFigures, Fig9AddsUpAndNamesTheContradictions) {
  const Figure figure = make("tso-fig9");
  ASSERT_EQ(figure.rows.size(), 10u);
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const double load = *value(figure, row, "load"), store = *value(figure, row, "store");
    EXPECT_NEAR(*value(figure, row, "load + store"), load + store, 1e-12);
    const double all = load + store + *value(figure, row, "MAC");
    if (row % 2 == 0) {
      EXPECT_NEAR(all, 1, 1e-9) << row;
    } else {
      EXPECT_LE(all, 1 + 1e-9) << row;
    }
  }
  const std::string notes = testing::PrintToString(figure.notes);
  EXPECT_THAT(notes, HasSubstr("LeNet: the 16.20 %"));
  EXPECT_THAT(notes, HasSubstr("above the stated peak of 256"));
  EXPECT_THAT(notes, HasSubstr("Inception v3: transfers are said to fall by 23.71 points"));
}

TEST_F(TsoFigures, Fig10IsMeasuredAndStartsWithOneThread) {
  const Figure figure = make("tso-fig10");
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const Cell time = cell(figure, row, "ms here");
    EXPECT_EQ(time.origin, Origin::measured);
    EXPECT_GT(*time.value, 0);
    if (value(figure, row, "threads") == 1) {
      EXPECT_EQ(value(figure, row, "speed-up here"), 1);
    }
  }
  EXPECT_EQ(value(figure, 0, "ms published, serial"), 360000);
  EXPECT_EQ(value(figure, 0, "ms published, 16 cores"), 59000);
}

TEST_F(TsoFigures, Fig11KeepsEveryConvolutionUnderTheRoofs) {
  const Figure figure = make("tso-fig11");
  EXPECT_EQ(figure.rows.size(), 227u);
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    EXPECT_LT(*value(figure, row, "of roof reached"), 1) << row;
    EXPECT_LE(*value(figure, row, "roof reached, GMAC/s"), 192.0001) << row;
    EXPECT_GT(*value(figure, row, "MAC / byte"), 0) << row;
  }
}

TEST_F(TsoFigures, LevelsStandSideBySide) {
  const Figure figure = make("nmp-levels");
  ASSERT_EQ(figure.rows.size(), 227u);
  int differ = 0;
  for (std::size_t row = 0; row < figure.rows.size(); ++row) {
    const bool same = cell(figure, row, "volume").text == cell(figure, row, "burst").text &&
                      cell(figure, row, "burst").text == cell(figure, row, "banked").text;
    EXPECT_EQ(cell(figure, row, "levels").text, same ? "agree" : "differ") << row;
    differ += !same;
    if (cell(figure, row, "burst").text == cell(figure, row, "banked").text) {
      EXPECT_EQ(value(figure, row, "burst over banked"), 0) << row;
    }
  }
  EXPECT_GT(differ, 10);
  EXPECT_LT(differ, 227);
  EXPECT_EQ(figure.notes.size(), 6u);
}

TEST_F(TsoFigures, Fig12SharesOutRowsFirstAndFiltersLast) {
  const Figure figure = make("tso-fig12");
  EXPECT_EQ(std::count_if(figure.notes.begin(), figure.notes.end(),
                          [](const std::string& note) {
                            return note.find("first quarter of its convolutions OFM, of the last quarter KS") !=
                                   std::string::npos;
                          }),
            4);
}

TEST_F(TsoFigures, AreTheSameForAnyNumberOfThreads) {
  for (const char* id : {"tso-fig1", "tso-fig8", "tso-fig9", "tso-fig11", "tso-fig12", "tso-fig13", "tso-table1"}) {
    const std::string two = figure_json(make(id));
    executor_ = engine::make_thread_executor(1);
    cache_ = engine::make_memory_cache();
    environment_.executor = executor_.get();
    environment_.cache = cache_.get();
    EXPECT_EQ(figure_json(make(id)), two) << id;
  }
}

TEST_F(TsoFigures, StopWhenAsked) {
  std::stop_source source;
  source.request_stop();
  environment_.stop = source.get_token();
  for (const char* id : {"tso-fig1", "tso-fig8", "tso-fig9", "tso-fig10", "tso-fig11", "tso-table1"})
    EXPECT_THROW(make_figure(id, environment_, diagnostics_), Cancelled) << id;
}

}  // namespace
}  // namespace convscope::figures
