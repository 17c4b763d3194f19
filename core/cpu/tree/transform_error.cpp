#include "core/cpu/tree/transform_error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

constexpr int trial_tiles = 96, trial_kernels = 4;

/// rows x columns, in double or single precision.
template <typename Real>
struct Grid {
  int rows = 0, columns = 0;
  std::vector<Real> values = std::vector<Real>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  Real& at(int y, int x) { return values[static_cast<std::size_t>(y * columns + x)]; }
  const Real& at(int y, int x) const { return values[static_cast<std::size_t>(y * columns + x)]; }
};

class Random {
 public:
  float next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<float>(state_ >> 40) * 0x1p-23F - 1.0F;
  }
  Grid<float> grid(int rows, int columns) {
    Grid<float> result{rows, columns};
    for (float& value : result.values) value = next();
    return result;
  }

 private:
  std::uint64_t state_ = 1;
};

/// A program on each column, then, transposed, on what were the rows.
class Nested {
 public:
  explicit Nested(const winograd::LinearProgram& program)
      : program_(program), coefficients_(winograd::rounded_coefficients<float>(program)) {}

  Grid<float> columns(const Grid<float>& in) const {
    Grid<float> out{static_cast<int>(program_.outputs.size()), in.columns};
    std::vector<float> values(static_cast<std::size_t>(program_.inputs) + program_.steps.size());
    for (int x = 0; x < in.columns; ++x) {
      for (int y = 0; y < in.rows; ++y) values[static_cast<std::size_t>(y)] = in.at(y, x);
      winograd::run<float>(program_, coefficients_, values);
      for (int y = 0; y < out.rows; ++y)
        out.at(y, x) = values[static_cast<std::size_t>(program_.outputs[static_cast<std::size_t>(y)])];
    }
    return out;
  }
  Grid<float> rows(const Grid<float>& in) const { return transposed(columns(transposed(in))); }

 private:
  static Grid<float> transposed(const Grid<float>& in) {
    Grid<float> out{in.columns, in.rows};
    for (int y = 0; y < in.rows; ++y)
      for (int x = 0; x < in.columns; ++x) out.at(x, y) = in.at(y, x);
    return out;
  }
  const winograd::LinearProgram& program_;
  const std::vector<float> coefficients_;
};

class Trial {
 public:
  Trial(const WinogradPrograms& programs, bool two_dimensional, const flyte::Storage& kernels, std::size_t chain)
      : t_(programs.matrices),
        both_(two_dimensional),
        storage_(kernels),
        chain_(chain),
        input_(programs.input),
        output_(programs.output),
        g_{t_.n(), t_.r} {
    for (int i = 0; i < g_.rows; ++i)
      for (int k = 0; k < g_.columns; ++k) g_.at(i, k) = winograd::to_double(t_.g.at(i, k));
    for (int i = 0; i < trial_kernels * trial_channels; ++i) {
      kernels_.push_back(random_.grid(t_.r, t_.r));
      transformed_kernels_.push_back(transformed_kernel(kernels_.back()));
    }
  }

  TrialError run() {
    for (int tile = 0; tile < trial_tiles; ++tile) one_tile();
    const double largest = *std::max_element(error_squares_.begin(), error_squares_.end());
    const double all = std::accumulate(error_squares_.begin(), error_squares_.end(), 0.0);
    if (squares_ == 0) return {};
    return {std::sqrt(largest * static_cast<double>(error_squares_.size()) / squares_), std::sqrt(all / squares_)};
  }

 private:
  void one_tile() {
    std::vector<Grid<float>> image, transformed;
    for (int c = 0; c < trial_channels; ++c) {
      image.push_back(random_.grid(both_ ? t_.n() : t_.r, t_.n()));
      transformed.push_back(input_.rows(both_ ? input_.columns(image.back()) : image.back()));
    }
    for (std::size_t m = 0; m < trial_kernels; ++m) {
      Grid<float> sums{both_ ? t_.n() : 1, t_.n()}, open = sums;
      Grid<double> expected{both_ ? t_.m : 1, t_.m};
      for (std::size_t c = 0; c < trial_channels; ++c) {
        add_products(transformed[c], transformed_kernels_[m * trial_channels + c], open);
        if ((c + 1) % chain_ == 0) close(open, sums);
        add_plain(image[c], kernels_[m * trial_channels + c], expected);
      }
      compare(output_.rows(both_ ? output_.columns(sums) : sums), expected);
    }
  }

  /// Positions in the places of taps; rows as they are in one dimension.
  Grid<float> transformed_kernel(const Grid<float>& kernel) const {
    Grid<float> result{both_ ? t_.n() : t_.r, t_.n()};
    for (int i = 0; i < result.rows; ++i)
      for (int j = 0; j < result.columns; ++j) {
        double sum = 0;
        for (int y = 0; y < t_.r; ++y)
          for (int x = 0; x < t_.r; ++x) {
            const double row = both_ ? g_.at(i, y) : (i == y ? 1 : 0);
            sum += row * g_.at(j, x) * static_cast<double>(kernel.at(y, x));
          }
        result.at(i, j) = flyte::rounded(static_cast<float>(sum), storage_);
      }
    return result;
  }

  void add_products(const Grid<float>& image, const Grid<float>& kernel, Grid<float>& sums) const {
    for (int y = 0; y < image.rows; ++y)
      for (int x = 0; x < image.columns; ++x) {
        float& sum = sums.at(both_ ? y : 0, x);
        sum = std::fma(image.at(y, x), kernel.at(y, x), sum);
      }
  }

  static void close(Grid<float>& open, Grid<float>& sums) {
    for (std::size_t i = 0; i < sums.values.size(); ++i) sums.values[i] += open.values[i];
    std::fill(open.values.begin(), open.values.end(), 0.0F);
  }

  void add_plain(const Grid<float>& image, const Grid<float>& kernel, Grid<double>& sums) const {
    for (int i = 0; i < sums.rows; ++i)
      for (int j = 0; j < sums.columns; ++j)
        for (int y = 0; y < t_.r; ++y)
          for (int x = 0; x < t_.r; ++x)
            sums.at(i, j) += static_cast<double>(image.at(i + y, j + x)) * static_cast<double>(kernel.at(y, x));
  }

  void compare(const Grid<float>& found, const Grid<double>& expected) {
    error_squares_.resize(expected.values.size());
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      error_squares_[i] += std::pow(static_cast<double>(found.values[i]) - expected.values[i], 2);
      squares_ += std::pow(expected.values[i], 2);
    }
  }

  const winograd::Transform& t_;
  const bool both_;
  const flyte::Storage storage_;  ///< of transformed kernels
  const std::size_t chain_;       ///< divides the channels
  const Nested input_, output_;
  Grid<double> g_;
  Random random_;
  std::vector<Grid<float>> kernels_, transformed_kernels_;  ///< [kernel][channel]
  std::vector<double> error_squares_;                       ///< by the output's place in its tile
  double squares_ = 0;
};

/// Sum of squares.
double square(const winograd::Matrix& matrix, int row, int columns) {
  double sum = 0;
  for (int i = 0; i < columns; ++i) sum += std::pow(winograd::to_double(matrix.at(row, i)), 2);
  return sum;
}

/// In one dimension. Inputs and weights are all alike: what rows of BT and G make of them tells the variance.
std::vector<double> shares_of(const winograd::Transform& t) {
  double most = 0;
  std::vector<double> best;
  for (int output = 0; output < t.m; ++output) {
    std::vector<double> variances;
    variances.reserve(static_cast<std::size_t>(t.n()));
    for (int i = 0; i < t.n(); ++i)
      variances.push_back(std::pow(winograd::to_double(t.at.at(output, i)), 2) * square(t.bt, i, t.n()) *
                          square(t.g, i, t.r));
    const double sum = std::accumulate(variances.begin(), variances.end(), 0.0);
    if (sum <= most) continue;
    most = sum;
    best = std::move(variances);
  }
  for (double& each : best) each /= most;
  return best;
}

std::vector<double> shares_of(const winograd::Transform& t, bool two_dimensional) {
  std::vector<double> row = shares_of(t);
  if (!two_dimensional) return row;
  std::vector<double> both;
  both.reserve(row.size() * row.size());
  for (const double y : row)
    for (const double x : row) both.push_back(y * x);
  return both;
}

}  // namespace

TransformError transform_error(int m, int r, const std::string& points, bool two_dimensional,
                               const flyte::Storage& kernels) {
  static std::mutex mutex;
  static std::map<std::tuple<int, int, std::string, bool, std::string>, TransformError> known;
  const std::lock_guard lock(mutex);
  const auto [found, fresh] = known.try_emplace({m, r, points, two_dimensional, flyte::text(kernels)});
  if (!fresh) return found->second;
  const auto programs = winograd_programs(m, r, points);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  found->second = {{infinite, infinite}, {infinite, infinite}, {}};
  if (!programs) return found->second;
  found->second = {Trial(*programs, two_dimensional, kernels, trial_channels).run(),
                   Trial(*programs, two_dimensional, kernels, trial_chain).run(),
                   shares_of(programs->matrices, two_dimensional)};
  return found->second;
}

}  // namespace convscope::cpu
