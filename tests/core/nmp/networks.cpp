#include "networks.h"

#include <algorithm>

namespace convscope::nmp {
namespace {

using network::Layer;
using network::Size;

/// Layers one after another; what the next one reads is kept.
class Builder {
 public:
  Builder(int maps, int size) : maps_(maps), size_{size, size} {}

  Builder& conv(int out, Size kernel, int stride = 1, bool same = true, int groups = 1) {
    Layer layer = convolution(maps_, size_, out, kernel, stride, same, groups);
    layer.name = "L" + std::to_string(layers.size() + 1);
    maps_ = layer.out.maps;
    size_ = layer.out.size;
    layers.push_back(std::move(layer));
    return *this;
  }
  Builder& square(int out, int kernel, int stride = 1, bool same = true, int groups = 1) {
    return conv(out, {kernel, kernel}, stride, same, groups);
  }
  /// A side branch: back to where a block began.
  Builder& from(int maps, Size size) {
    maps_ = maps;
    size_ = size;
    return *this;
  }
  int maps() const { return maps_; }
  Size size() const { return size_; }

  std::vector<Layer> layers;

 private:
  int maps_;
  Size size_;
};

std::vector<Layer> lenet() {
  Builder b(1, 28);
  b.square(32, 5).from(32, {14, 14}).square(64, 5);
  return b.layers;
}

std::vector<Layer> squeezenet() {
  Builder b(3, 227);
  b.square(96, 7, 2, false);
  const auto fire = [&](int size, int in, int squeeze, int expand) {
    const Size s{size, size};
    b.from(in, s).square(squeeze, 1).square(expand, 1).from(squeeze, s).square(expand, 3);
  };
  fire(55, 96, 16, 64);
  fire(55, 128, 16, 64);
  fire(55, 128, 32, 128);
  fire(27, 256, 32, 128);
  fire(27, 256, 48, 192);
  fire(27, 384, 48, 192);
  fire(27, 384, 64, 256);
  fire(13, 512, 64, 256);
  b.from(512, {13, 13}).square(1000, 1);
  return b.layers;
}

std::vector<Layer> mobilenet_v2() {
  Builder b(3, 224);
  b.square(32, 3, 2);
  const int table[][4] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                          {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  for (const auto& [expansion, out, repeats, stride] : table)
    for (int i = 0; i < repeats; ++i) {
      const int middle = b.maps() * expansion;
      if (expansion > 1) b.square(middle, 1);
      b.square(middle, 3, i == 0 ? stride : 1, true, middle).square(out, 1);
    }
  b.square(1280, 1);
  return b.layers;
}

std::vector<Layer> resnet50() {
  Builder b(3, 224);
  b.square(64, 7, 2).from(64, {56, 56});
  const int stages[][3] = {{64, 3, 1}, {128, 4, 2}, {256, 6, 2}, {512, 3, 2}};
  for (const auto& [width, blocks, first_stride] : stages)
    for (int i = 0; i < blocks; ++i) {
      const int in = b.maps(), stride = i == 0 ? first_stride : 1;
      const Size size = b.size();
      if (i == 0) b.square(4 * width, 1, stride).from(in, size);
      b.square(width, 1, stride).square(width, 3).square(4 * width, 1);
    }
  return b.layers;
}

// The branches of each kind of Inception block; the maps that a block leaves are the sum of its branches.
void inception_a(Builder& b, int in, int pool) {
  const Size s{35, 35};
  b.from(in, s).square(64, 1);
  b.from(in, s).square(48, 1).square(64, 5);
  b.from(in, s).square(64, 1).square(96, 3).square(96, 3);
  b.from(in, s).square(pool, 1);
}

void inception_b(Builder& b, int middle) {
  const Size s{17, 17};
  b.from(768, s).square(192, 1);
  b.from(768, s).square(middle, 1).conv(middle, {1, 7}).conv(192, {7, 1});
  b.from(768, s).square(middle, 1).conv(middle, {7, 1}).conv(middle, {1, 7}).conv(middle, {7, 1}).conv(192, {1, 7});
  b.from(768, s).square(192, 1);
}

void inception_c(Builder& b, int in) {
  const Size s{8, 8};
  b.from(in, s).square(320, 1);
  b.from(in, s).square(384, 1).conv(384, {1, 3}).from(384, s).conv(384, {3, 1});
  b.from(in, s).square(448, 1).square(384, 3).conv(384, {1, 3}).from(384, s).conv(384, {3, 1});
  b.from(in, s).square(192, 1);
}

std::vector<Layer> inception_v3() {
  Builder b(3, 299);
  b.square(32, 3, 2, false).square(32, 3, 1, false).square(64, 3);
  b.from(64, {73, 73}).square(80, 1, 1, false).square(192, 3, 1, false);
  inception_a(b, 192, 32);
  inception_a(b, 256, 64);
  inception_a(b, 288, 64);
  b.from(288, {35, 35}).square(384, 3, 2, false);
  b.from(288, {35, 35}).square(64, 1).square(96, 3).square(96, 3, 2, false);
  for (const int middle : {128, 160, 160, 192}) inception_b(b, middle);
  b.from(768, {17, 17}).square(192, 1).square(320, 3, 2, false);
  b.from(768, {17, 17}).square(192, 1).conv(192, {1, 7}).conv(192, {7, 1}).square(192, 3, 2, false);
  inception_c(b, 1280);
  inception_c(b, 2048);
  return b.layers;
}

}  // namespace

network::Layer convolution(int in_maps, Size in, int out_maps, Size kernel, int stride, bool same, int groups) {
  Layer layer;
  layer.in = {in_maps, in};
  layer.kernel = kernel;
  layer.stride = {stride, stride};
  layer.groups = groups;
  layer.dense = true;
  const auto out = [&](int length, int k) { return same ? (length + stride - 1) / stride : (length - k) / stride + 1; };
  layer.out = {out_maps, {out(in.height, kernel.height), out(in.width, kernel.width)}};
  const auto pad = [&](int length, int k) { return std::max(0, (out(length, k) - 1) * stride + k - length); };
  if (same) {
    const int rows = pad(in.height, kernel.height), columns = pad(in.width, kernel.width);
    layer.padding = {rows / 2, columns / 2, rows - rows / 2, columns - columns / 2};
  }
  return layer;
}

std::vector<PaperNetwork> paper_networks() {
  return {{"InceptionV3", 72686, inception_v3()},
          {"LeNet", 199, lenet()},
          {"MobileNetV2", 14030, mobilenet_v2()},
          {"ResNet-50", 55927, resnet50()},
          {"SqueezeNet", 12504, squeezenet()}};
}

}  // namespace convscope::nmp
