#include <algorithm>

#include <cblas-openblas.h>

#include "app/peers/peer.h"
#include "core/cpu/run/packing.h"

namespace convscope::peers {
namespace {

using cpu::Layout;
using cpu::Problem;

std::size_t count(const cpu::Extents& extents) {
  std::size_t product = 1;
  for (const auto& [dimension, extent] : extents.of) product *= static_cast<std::size_t>(extent);
  return product;
}

bool is_matrix_product(const Problem& p) {
  return p.kernel_height == 1 && p.kernel_width == 1 && p.stride_height == 1 && p.stride_width == 1 &&
         p.pad_top + p.pad_left + p.pad_bottom + p.pad_right == 0;
}

class Im2col : public Peer {
 public:
  explicit Im2col(const cpu::TestData& data, bool by_pixel, const char* image, const char* kernel, const char* output)
      : p_(data.problem()),
        pixels_(p_.out_height() * p_.out_width()),
        taps_(p_.kernel_height * p_.kernel_width * p_.group_channels()),
        by_pixel_(by_pixel),
        output_layout_{output},
        image_(count(p_.image())),
        kernel_(count(p_.kernel())),
        output_(count(p_.output())) {
    cpu::pack(data.image(), Layout{image}, p_.image(), image_.data());
    cpu::pack(data.kernel(), Layout{kernel}, p_.kernel(), kernel_.data());
    if (!is_matrix_product(p_)) matrix_.resize(static_cast<std::size_t>(pixels_) * static_cast<std::size_t>(taps_));
  }

  std::string name() const override { return std::string("im2col + OpenBLAS, ") + (by_pixel_ ? "H W C" : "C H W"); }
  std::string implementation() const override { return openblas_get_corename(); }
  std::int64_t temporary_bytes() const override { return static_cast<std::int64_t>(matrix_.size() * sizeof(float)); }
  void run() override {
    for (int group = 0; group < p_.groups; ++group) multiply(group);
  }
  std::vector<float> output() override {
    std::vector<float> plain(output_.size());
    cpu::unpack(output_.data(), output_layout_, p_.output(), plain.data());
    return plain;
  }

 protected:
  virtual void multiply(int group) = 0;

  /// First output index at which a tap's column lies inside, and the one where it doesn't any more.
  std::pair<int, int> valid_columns(int x) const {
    const int offset = x * p_.dilation_width - p_.pad_left;
    const auto up = [&](int value) { return std::max(0, (value + p_.stride_width - 1) / p_.stride_width); };
    const int begin = std::min(offset < 0 ? up(-offset) : 0, p_.out_width());
    return {begin, std::clamp(up(p_.width - offset), begin, p_.out_width())};
  }

  const Problem p_;
  const int pixels_, taps_;
  const bool by_pixel_;
  const Layout output_layout_;
  std::vector<float> image_, kernel_, output_, matrix_;
};

/// Matrix [pixel][y x c] times kernel [y x c][m].
class ByPixel : public Im2col {
 public:
  explicit ByPixel(const cpu::TestData& data)
      : Im2col(data, true, "HWC", data.problem().groups > 1 ? "MYXC" : "YXCM", "HWM") {}

 private:
  void multiply(int group) override {
    const float* image = image_.data() + group * p_.group_channels();
    if (!matrix_.empty()) copy(image);
    const float* left = matrix_.empty() ? image : matrix_.data();
    const int left_step = matrix_.empty() ? p_.channels : taps_, m = p_.group_kernels();
    const bool grouped = p_.groups > 1;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, grouped ? CblasTrans : CblasNoTrans, pixels_, m, taps_, 1.0F, left,
                left_step, kernel_.data() + static_cast<std::ptrdiff_t>(group) * m * taps_, grouped ? taps_ : m, 0.0F,
                output_.data() + group * m, p_.kernels);
  }

  void copy(const float* image) {
    float* to = matrix_.data();
    for (int h = 0; h < p_.out_height(); ++h)
      for (int w = 0; w < p_.out_width(); ++w)
        for (int y = 0; y < p_.kernel_height; ++y) to = copy_row(image, h, w, y, to);
  }
  float* copy_row(const float* image, int h, int w, int y, float* to) const {
    const int row = h * p_.stride_height + y * p_.dilation_height - p_.pad_top;
    for (int x = 0; x < p_.kernel_width; ++x, to += p_.group_channels()) {
      const int column = w * p_.stride_width + x * p_.dilation_width - p_.pad_left;
      if (row < 0 || row >= p_.height || column < 0 || column >= p_.width)
        std::fill_n(to, p_.group_channels(), 0.0F);
      else
        std::copy_n(image + (static_cast<std::ptrdiff_t>(row) * p_.width + column) * p_.channels, p_.group_channels(),
                    to);
    }
    return to;
  }
};

/// Kernel [m][c y x] times matrix [c y x][pixel].
class ByTap : public Im2col {
 public:
  explicit ByTap(const cpu::TestData& data) : Im2col(data, false, "CHW", "MCYX", "MHW") {}

 private:
  void multiply(int group) override {
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(p_.height) * p_.width;
    const float* image = image_.data() + group * p_.group_channels() * plane;
    if (!matrix_.empty()) copy(image);
    const int m = p_.group_kernels();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, pixels_, taps_, 1.0F,
                kernel_.data() + static_cast<std::ptrdiff_t>(group) * m * taps_, taps_,
                matrix_.empty() ? image : matrix_.data(), pixels_, 0.0F,
                output_.data() + static_cast<std::ptrdiff_t>(group) * m * pixels_, pixels_);
  }

  void copy(const float* image) {
    float* to = matrix_.data();
    for (int c = 0; c < p_.group_channels(); ++c, image += static_cast<std::ptrdiff_t>(p_.height) * p_.width)
      for (int y = 0; y < p_.kernel_height; ++y)
        for (int x = 0; x < p_.kernel_width; ++x)
          for (int h = 0; h < p_.out_height(); ++h, to += p_.out_width()) copy_row(image, h, y, x, to);
  }
  void copy_row(const float* image, int h, int y, int x, float* to) const {
    const int row = h * p_.stride_height + y * p_.dilation_height - p_.pad_top;
    const auto [begin, end] = valid_columns(x);
    const bool inside = row >= 0 && row < p_.height;
    std::fill(to, inside ? to + begin : to + p_.out_width(), 0.0F);
    if (!inside) return;
    const float* from = image + static_cast<std::ptrdiff_t>(row) * p_.width + x * p_.dilation_width - p_.pad_left;
    if (p_.stride_width == 1) {
      std::copy(from + begin, from + end, to + begin);
    } else {
      for (int w = begin; w < end; ++w) to[w] = from[static_cast<std::ptrdiff_t>(w) * p_.stride_width];
    }
    std::fill(to + end, to + p_.out_width(), 0.0F);
  }
};

}  // namespace

std::unique_ptr<Peer> make_im2col(const cpu::TestData& data, bool by_pixel) {
  if (by_pixel) return std::make_unique<ByPixel>(data);
  return std::make_unique<ByTap>(data);
}

}  // namespace convscope::peers
