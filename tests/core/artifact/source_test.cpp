#include "core/artifact/source.h"

#include <gtest/gtest.h>

namespace convscope::artifact {
namespace {

const SourceStage stage{"text",
                        {{-1, "program", 0, 9, 1},
                         {0, "for h", 2, 7, 1},
                         {1, "for w", 3, 6, 1},
                         {2, "unroll", 3, 6, 1},
                         {3, "store", 6, 6, 0},
                         {0, "declaration", -1, -1, 0}}};

TEST(Source, TheInnermostNodeOfALineIsFound) {
  EXPECT_EQ(node_at_line(stage, 0), 0);
  EXPECT_EQ(node_at_line(stage, 2), 1);
  EXPECT_EQ(node_at_line(stage, 4), 3) << "of two with the same lines the inner one";
  EXPECT_EQ(node_at_line(stage, 6), 4);
  EXPECT_EQ(node_at_line(stage, 8), 0);
}

TEST(Source, ALineOfNoNodeHasNone) {
  EXPECT_EQ(node_at_line(stage, 10), -1);
  EXPECT_EQ(node_at_line(stage, -1), -1);
  EXPECT_EQ(node_at_line({}, 0), -1);
}

TEST(Source, LinesStartBehindLineFeeds) {
  EXPECT_EQ(line_starts(""), (std::vector<std::size_t>{0}));
  EXPECT_EQ(line_starts("a\nbc\n"), (std::vector<std::size_t>{0, 2, 5}));
  EXPECT_EQ(line_starts("a\nbc"), (std::vector<std::size_t>{0, 2, 4}));
}

}  // namespace
}  // namespace convscope::artifact
