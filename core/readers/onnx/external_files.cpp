#include "core/readers/onnx/external_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace convscope::readers::onnx_format {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& model_path) {
  const fs::path folder = fs::path(model_path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

bool leads_out(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  const fs::path real_folder = fs::canonical(folder, error);
  if (error) return false;  // Then there is no file in it either.
  const fs::path real_file = fs::weakly_canonical(file, error);
  if (error) return false;
  return std::mismatch(real_folder.begin(), real_folder.end(), real_file.begin(), real_file.end()).first !=
         real_folder.end();
}

bool is_plain(const std::string& location) {
  const fs::path path(location);
  return !location.empty() && location.find('\0') == std::string::npos && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

}  // namespace

std::optional<ExternalFiles::Reference> ExternalFiles::reference(const onnx::TensorProto& tensor,
                                                                 const std::string& element) {
  Reference result;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") result.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const auto value = parse_integer<std::uint64_t>(entry.value());
    if (!value) {
      report_.error(0, element, "external " + entry.key() + " is " + in_quotes(entry.value()), "a number of bytes");
      return std::nullopt;
    }
    if (entry.key() == "offset") result.offset = *value;
    if (entry.key() == "length") result.length = value;
  }
  return result;
}

bool ExternalFiles::confined(const std::string& location, const std::string& element) {
  const fs::path folder = folder_of(model_path_);
  if (is_plain(location) && !leads_out(folder, folder / location)) return true;
  report_.error(0, element, "its external data is in " + in_quotes(location), "a file in the model's folder",
                "put the data beside the model and name it by a relative path");
  return false;
}

std::optional<MappedFile> ExternalFiles::open(const std::string& location) {
  const fs::path path = folder_of(model_path_) / location;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;  // A pipe would block whoever opens it.
  Diagnostics refused;
  return MappedFile::open(path.string(), refused, std::size_t{1} << 40);
}

std::optional<ExternalFiles::Values> ExternalFiles::part(const MappedFile& file, const Reference& reference,
                                                         std::uint64_t size, const std::string& element) {
  const std::string_view all = file.bytes();
  if (reference.offset <= all.size() && size <= all.size() - reference.offset)
    return Values{file.owner(), all.substr(static_cast<std::size_t>(reference.offset), static_cast<std::size_t>(size))};
  report_.error(0, element,
                fmt::format("external data at byte {} of {}, which has {} bytes", reference.offset,
                            in_quotes(reference.location), all.size()),
                fmt::format("{} bytes there", size), "the file is truncated or belongs to another model");
  return std::nullopt;
}

std::optional<ExternalFiles::Values> ExternalFiles::find(const onnx::TensorProto& tensor, std::uint64_t size,
                                                         const std::string& element) {
  const auto where = reference(tensor, element);
  if (!where) return std::nullopt;
  auto known = files_.find(where->location);
  if (known == files_.end()) {
    if (!confined(where->location, element)) return std::nullopt;
    known = files_.emplace(where->location, open(where->location)).first;
  }
  if (where->length && *where->length != size) {
    report_.error(0, element, fmt::format("{} bytes of external data", *where->length), fmt::format("{} bytes", size));
    return std::nullopt;
  }
  if (known->second) return part(*known->second, *where, size, element);
  ++absent_[where->location];
  return Values{};
}

void ExternalFiles::report_absent() const {
  for (const auto& [location, count] : absent_)
    report_.note(0, "external data " + in_quotes(location),
                 fmt::format("there is no such file: {} {} a shape but no values", count,
                             count == 1 ? "tensor has" : "tensors have"));
}

int ExternalFiles::absent() const {
  int count = 0;
  for (const auto& [location, tensors] : absent_) count += tensors;
  return count;
}

}  // namespace convscope::readers::onnx_format
