#include "core/catalogue/standard.h"

#include "core/cpu/cpu_target.h"
#include "core/cpu/layers/problem_list.h"
#include "core/nmp/nmp_target.h"
#include "core/nve/nve_target.h"
#include "core/readers/caffe/caffe.h"
#include "core/readers/convnet_xml/convnet_xml.h"
#include "core/readers/darknet/darknet.h"
#include "core/readers/graphdef/graphdef.h"
#include "core/readers/layer_list/layer_list.h"
#include "core/readers/onnx/onnx.h"
#include "core/readers/tflite/tflite.h"
#include "core/readers/torch7/torch7.h"
#include "core/snowflake/snowflake_target.h"

namespace convscope::catalogue {
namespace {

std::optional<network::Network> read_descriptor(const MappedFile& file, const std::string& path,
                                                Diagnostics& diagnostics) {
  return readers::read_convnet_xml(file.bytes(), path, diagnostics);
}

}  // namespace

std::vector<std::shared_ptr<const target::Target>> standard_targets() {
  return {nve::make_nve_target(), nmp::make_nmp_target(), snowflake::make_snowflake_target(), cpu::make_cpu_target()};
}

std::vector<Reader> standard_readers() {
  return {{{"convnet-xml", "ConvNet descriptor (XML)", "*.xml"}, readers::is_convnet_xml, read_descriptor},
          {{"layer-list", "Layer list (XML)", "*.xml"}, readers::is_layer_list, readers::read_layer_list},
          {{"onnx", "ONNX model, binary or text", "*.onnx *.onnxtxt"}, readers::is_onnx, readers::read_onnx},
          {{"tflite", "TensorFlow Lite model", "*.tflite"}, readers::is_tflite, readers::read_tflite},
          {{"graphdef", "TensorFlow graph, frozen, binary or text", "*.pb *.pbtxt"},
           readers::is_graphdef,
           readers::read_graphdef},
          {{"torch7", "Torch7 network, binary or text", "*.t7"}, readers::is_torch7, readers::read_torch7},
          {{"caffe", "Caffe definition", "*.prototxt"}, readers::is_caffe, readers::read_caffe},
          {{"darknet", "Darknet configuration", "*.cfg"}, readers::is_darknet, readers::read_darknet},
          {{"convolutions", "Convolutions in words, one a line", "*.conv"},
           cpu::is_problem_list,
           cpu::read_problem_list,
           cpu::read_problem_list_text}};
}

CataloguePointer standard() {
  return std::make_shared<const Catalogue>(Catalogue{standard_targets(), standard_readers()});
}

}  // namespace convscope::catalogue
