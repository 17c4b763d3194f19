#pragma once
// Values that stand in files beside the model (onnx/docs/ExternalData.md). Nothing outside the model's folder is read.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/mapped_file.h"
#include "core/readers/common/report.h"

namespace onnx {
class TensorProto;
}

namespace convscope::readers::onnx_format {

class ExternalFiles {
 public:
  ExternalFiles(std::string model_path, Report& report) : model_path_(std::move(model_path)), report_(report) {}

  struct Values {
    std::shared_ptr<const void> owner;
    std::string_view bytes;  ///< without data if the file is absent
  };
  /// The `size` bytes that a tensor's external data stands for. Errors: a location that is absolute, contains "..",
  /// or leads out of the folder through a link; an offset or length that is no number, is not `size`, or reaches
  /// beyond the file's end.
  std::optional<Values> find(const onnx::TensorProto& tensor, std::uint64_t size, const std::string& element);
  /// A note for each absent file, with the number of tensors that are without values.
  void report_absent() const;
  /// Number of tensors that are without values.
  int absent() const;

 private:
  struct Reference {
    std::string location;
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length;
  };
  std::optional<Reference> reference(const onnx::TensorProto& tensor, const std::string& element);
  std::optional<Values> part(const MappedFile& file, const Reference& reference, std::uint64_t size,
                             const std::string& element);
  bool confined(const std::string& location, const std::string& element);
  std::optional<MappedFile> open(const std::string& location);

  std::string model_path_;
  Report& report_;
  std::map<std::string, std::optional<MappedFile>> files_;  ///< by location; nothing: absent
  std::map<std::string, int> absent_;
};

}  // namespace convscope::readers::onnx_format
