#include <dnnl.hpp>

#include "app/peers/peer.h"

namespace convscope::peers {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Dims = memory::dims;

class OneDnn : public Peer {
 public:
  OneDnn(const cpu::TestData& data, bool winograd)
      : problem_(data.problem()),
        winograd_(winograd),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        description_(describe()),
        convolution_(description_),
        image_(description_.src_desc(), engine_),
        kernel_(description_.weights_desc(), engine_),
        output_(description_.dst_desc(), engine_) {
    fill(image_, image_dims(), Tag::nhwc, data.image());
    fill_kernel(data.kernel());
  }

  std::string name() const override { return winograd_ ? "oneDNN Winograd" : "oneDNN direct"; }
  std::string implementation() const override { return description_.impl_info_str(); }
  std::int64_t temporary_bytes() const override {
    return static_cast<std::int64_t>(description_.scratchpad_desc().get_size());
  }
  void run() override {
    convolution_.execute(stream_, {{DNNL_ARG_SRC, image_}, {DNNL_ARG_WEIGHTS, kernel_}, {DNNL_ARG_DST, output_}});
    stream_.wait();
  }
  std::vector<float> output() override {
    memory plain({output_dims(), memory::data_type::f32, Tag::nhwc}, engine_);
    dnnl::reorder(output_, plain).execute(stream_, output_, plain);
    stream_.wait();
    const auto* begin = static_cast<const float*>(plain.get_data_handle());
    return {begin, begin + plain.get_desc().get_size() / sizeof(float)};
  }

 private:
  Dims image_dims() const { return {1, problem_.channels, problem_.height, problem_.width}; }
  Dims output_dims() const { return {1, problem_.kernels, problem_.out_height(), problem_.out_width()}; }
  Dims kernel_dims() const {
    const int height = problem_.kernel_height, width = problem_.kernel_width;
    if (problem_.groups == 1) return {problem_.kernels, problem_.channels, height, width};
    return {problem_.groups, problem_.group_kernels(), problem_.group_channels(), height, width};
  }

  dnnl::convolution_forward::primitive_desc describe() const {
    const auto any = [](const Dims& dims) { return memory::desc(dims, memory::data_type::f32, Tag::any); };
    const dnnl::convolution_forward::desc wanted(
        dnnl::prop_kind::forward_inference,
        winograd_ ? dnnl::algorithm::convolution_winograd : dnnl::algorithm::convolution_direct, any(image_dims()),
        any(kernel_dims()), any(output_dims()), {problem_.stride_height, problem_.stride_width},
        {problem_.dilation_height - 1, problem_.dilation_width - 1}, {problem_.pad_top, problem_.pad_left},
        {problem_.pad_bottom, problem_.pad_right});
    return {wanted, engine_};
  }

  /// Winograd's kernels are transformed by a reordering that only takes one order of dimensions.
  void fill_kernel(const float* plain) {
    const Tag given = problem_.groups > 1 ? Tag::gohwi : Tag::ohwi;
    if (!winograd_) return fill(kernel_, kernel_dims(), given, plain);
    memory between({kernel_dims(), memory::data_type::f32, problem_.groups > 1 ? Tag::goihw : Tag::oihw}, engine_);
    fill(between, kernel_dims(), given, plain);
    dnnl::reorder(between, kernel_).execute(stream_, between, kernel_);
    stream_.wait();
  }

  void fill(memory& to, const Dims& dims, Tag tag, const float* plain) {
    memory from({dims, memory::data_type::f32, tag}, engine_, const_cast<float*>(plain));
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  }

  const cpu::Problem problem_;
  const bool winograd_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::convolution_forward::primitive_desc description_;
  dnnl::convolution_forward convolution_;
  memory image_, kernel_, output_;
};

}  // namespace

std::unique_ptr<Peer> make_onednn(const cpu::TestData& data, bool winograd) try {
  return std::make_unique<OneDnn>(data, winograd);
} catch (const dnnl::error&) {
  return nullptr;
}

}  // namespace convscope::peers
