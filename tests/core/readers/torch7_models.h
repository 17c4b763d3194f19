#pragma once
// Small networks as torch's nn holds them.

#include <string>
#include <vector>

#include "tests/core/readers/torch7_writer.h"

namespace convscope::readers {

/// Precision of the weights: "Float", "Cuda", "Double", "Half" …
inline Lua torch_convolution(int in, int out, int kernel, int stride = 1, int pad = 0,
                             const std::string& type = "Float", const std::string& library = "nn") {
  return module(library + ".SpatialConvolution", {{"nInputPlane", in},
                                                  {"nOutputPlane", out},
                                                  {"kW", kernel},
                                                  {"kH", kernel},
                                                  {"dW", stride},
                                                  {"dH", stride},
                                                  {"padW", pad},
                                                  {"padH", pad},
                                                  {"train", false},
                                                  {"weight", counted_tensor(type, {out, in, kernel, kernel})},
                                                  {"bias", counted_tensor(type, {out})},
                                                  {"gradInput", lua_tensor(type, {}, {})}});
}

inline Lua torch_linear(int in, int out, const std::string& type = "Float") {
  return module("nn.Linear", {{"weight", counted_tensor(type, {out, in})}, {"bias", counted_tensor(type, {out})}});
}

inline Lua torch_relu() {
  return module("nn.ReLU", {{"inplace", true}, {"threshold", 0}, {"val", 0}});
}

inline Lua torch_max_pooling(int kernel, int stride, int pad = 0, bool ceil = false) {
  return module("nn.SpatialMaxPooling", {{"kW", kernel},
                                         {"kH", kernel},
                                         {"dW", stride},
                                         {"dH", stride},
                                         {"padW", pad},
                                         {"padH", pad},
                                         {"ceil_mode", ceil}});
}

inline Lua torch_batch_normalization(int maps, const std::string& type = "Float") {
  return module("nn.SpatialBatchNormalization",
                {{"eps", 1e-5},
                 {"weight", counted_tensor(type, {maps})},
                 {"bias", counted_tensor(type, {maps})},
                 {"running_mean", counted_tensor(type, {maps})},
                 {"running_var", lua_tensor(type, {maps}, std::vector<double>(static_cast<std::size_t>(maps), 0.75))}});
}

inline Lua torch_view(int size) {
  return module(
      "nn.View",
      {{"size", lua_storage("Long", {static_cast<double>(size)})}, {"numElements", size}, {"numInputDims", 3}});
}

/// As AlexNet "one weird trick" is published: features and classifier in two containers. For 3 x 63 x 63.
inline Lua torch_small_alexnet(const std::string& type = "Float") {
  return container("nn.Sequential",
                   {container("nn.Sequential",
                              {torch_convolution(3, 8, 11, 4, 2, type, "cudnn"), torch_relu(), torch_max_pooling(3, 2),
                               torch_convolution(8, 12, 5, 1, 2, type, "cudnn"), torch_relu(), torch_max_pooling(3, 2),
                               torch_convolution(12, 16, 3, 1, 1, type), torch_relu()}),
                    container("nn.Sequential", {torch_view(144), torch_linear(144, 20, type), torch_relu(),
                                                torch_linear(20, 10, type), module("nn.SoftMax")})});
}

inline Lua torch_block(int in, int out, int stride, const std::string& type) {
  const Lua path =
      container("nn.Sequential",
                {torch_convolution(in, out, 3, stride, 1, type), torch_batch_normalization(out, type), torch_relu(),
                 torch_convolution(out, out, 3, 1, 1, type), torch_batch_normalization(out, type)});
  const Lua shortcut = in == out && stride == 1
                           ? module("nn.Identity")
                           : container("nn.Sequential", {torch_convolution(in, out, 1, stride, 0, type),
                                                         torch_batch_normalization(out, type)});
  return container("nn.Sequential", {container("nn.ConcatTable", {path, shortcut}),
                                     module("nn.CAddTable", {{"inplace", true}}), torch_relu()});
}

/// As fb.resnet.torch builds them. For 3 x 32 x 32.
inline Lua torch_small_resnet(const std::string& type = "Float") {
  return container(
      "nn.Sequential",
      {torch_convolution(3, 8, 7, 2, 3, type), torch_batch_normalization(8, type), torch_relu(),
       torch_max_pooling(3, 2, 1), container("nn.Sequential", {torch_block(8, 8, 1, type), torch_block(8, 8, 1, type)}),
       container("nn.Sequential", {torch_block(8, 16, 2, type)}),
       module("nn.SpatialAveragePooling", {{"kW", 4}, {"kH", 4}, {"dW", 1}, {"dH", 1}}), torch_view(16),
       torch_linear(16, 10, type)});
}

}  // namespace convscope::readers
