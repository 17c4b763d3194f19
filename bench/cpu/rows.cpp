#include "bench/cpu/rows.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace convscope::bench {
namespace {

double geometric_mean(const std::vector<Row>& rows, double Row::*ratio) {
  double sum = 0;
  int count = 0;
  for (const Row& row : rows) {
    if (row.*ratio <= 0) continue;
    sum += std::log(row.*ratio);
    ++count;
  }
  return count > 0 ? std::exp(sum / count) : 0;
}

}  // namespace

void summarize(const std::vector<Row>& rows, const Question& question) {
  if (question.threads) {
    std::printf("%zu problems: threads gain %.3f of what they do with multiply-adds alone (geometric mean)\n",
                rows.size(), geometric_mean(rows, &Row::of_gain));
    return;
  }
  if (question.against_random) {
    double worst = 1e9;
    for (const Row& row : rows)
      if (row.to_random > 0) worst = std::min(worst, row.to_random);
    std::printf("%zu problems: the random search's best takes %.3f of our time (geometric mean; worst %.3f)\n",
                rows.size(), geometric_mean(rows, &Row::to_random), worst);
    return;
  }
  int good = 0, fair = 0, lasting = 0, behind = 0;
  for (const Row& row : rows) {
    good += row.of_peak >= 0.95 ? 1 : 0;
    fair += row.of_peak >= 0.90 ? 1 : 0;
    lasting += row.of_sustained >= 0.95 ? 1 : 0;
    behind += row.to_direct > 0 && row.to_direct < 0.98 ? 1 : 0;
  }
  std::printf(
      "%zu problems: %d at 95 %% of the peak, %d at 90 %%, %d at 95 %% of what multiply-adds alone keep up for as "
      "long; oneDNN's time %.3f of ours (geometric mean; %d times "
      "below .98), its Winograd's %.3f, im2col's %.3f\n",
      rows.size(), good, fair, lasting, geometric_mean(rows, &Row::to_direct), behind,
      geometric_mean(rows, &Row::to_winograd), geometric_mean(rows, &Row::to_im2col));
}

}  // namespace convscope::bench
