#pragma once
// What figures need, and how tests read them.

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "core/figures/figure.h"

namespace convscope::figures {

class FiguresFixture : public testing::Test {
 protected:
  FiguresFixture()
      : published_(analysis::PublishedTables::load(CONVSCOPE_SOURCE_DIR "/resources/published", diagnostics_)) {
    environment_.executor = executor_.get();
    environment_.cache = cache_.get();
    environment_.published = &published_;
    environment_.catalogue = catalogue_.get();
  }

  /// With what holds for every figure.
  Figure make(const std::string& id) {
    const auto figure = make_figure(id, environment_, diagnostics_);
    EXPECT_TRUE(figure && diagnostics_.empty()) << diagnostics_.text();
    if (!figure) return {};
    EXPECT_FALSE(figure->rows.empty()) << id;
    EXPECT_FALSE(figure->source.empty()) << id;
    for (const auto& row : figure->rows) EXPECT_EQ(row.size(), figure->columns.size()) << id;
    EXPECT_FALSE(figure_text(*figure).empty() || figure_csv(*figure).empty() || figure_json(*figure).empty()) << id;
    return *figure;
  }

  /// A column's cell in a row.
  static Cell cell(const Figure& figure, std::size_t row, const std::string& column) {
    for (std::size_t c = 0; c < figure.columns.size(); ++c)
      if (figure.columns[c] == column) return figure.rows[row][c];
    ADD_FAILURE() << "no column " << column;
    return {};
  }
  static std::optional<double> value(const Figure& figure, std::size_t row, const std::string& column) {
    return cell(figure, row, column).value;
  }

  Diagnostics diagnostics_;
  catalogue::CataloguePointer catalogue_ = catalogue::standard();
  analysis::PublishedTables published_;
  std::unique_ptr<engine::Executor> executor_ = engine::make_thread_executor(2);
  std::unique_ptr<target::PassCache> cache_ = engine::make_memory_cache();
  Environment environment_;
};

}  // namespace convscope::figures
