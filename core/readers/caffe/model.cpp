#include "core/readers/caffe/model.h"

#include <cstring>

#include <fmt/format.h>

#include "core/readers/common/maps.h"
#include "core/readers/common/protobuf_wire.h"

namespace convscope::readers::caffe {
namespace {

// Field numbers of caffe.proto.
namespace net {
constexpr std::uint64_t layers_v1 = 2, layer = 100;
}
namespace layer_v1 {
constexpr std::uint64_t name = 4, blobs = 6;
}
namespace layer_v2 {
constexpr std::uint64_t name = 1, blobs = 7;
}
namespace blob {
constexpr std::uint64_t num = 1, width = 4, data = 5, shape = 7, double_data = 8;
}
namespace blob_shape {
constexpr std::uint64_t dim = 1;
}

/// Calls `visit(tag, payload)` for each field; false if the bytes end before a field does.
template <typename Visit>
bool walk(Cursor cursor, const Visit& visit) {
  while (!cursor.done()) {
    const auto tag = read_tag(cursor);
    if (!tag) return false;
    const auto payload = read_payload(cursor, tag->type);
    if (!payload || payload->begin > cursor.end || payload->size > cursor.end - payload->begin) return false;
    if (!visit(*tag, *payload)) return false;
  }
  return true;
}

class ModelReader {
 public:
  ModelReader(std::string_view bytes, std::shared_ptr<const void> owner) : bytes_(bytes), owner_(std::move(owner)) {}

  bool read(ModelBlobs& found) {
    return walk({bytes_, 0, bytes_.size()}, [&](const Tag& tag, const Payload& payload) {
      if (tag.type != WireType::bytes) return true;
      if (tag.number == net::layer) return read_layer(payload, layer_v2::name, layer_v2::blobs, found);
      if (tag.number == net::layers_v1) return read_layer(payload, layer_v1::name, layer_v1::blobs, found);
      return true;
    });
  }

 private:
  Cursor inside(const Payload& payload) const {
    return {bytes_, payload.begin, payload.begin + static_cast<std::size_t>(payload.size)};
  }
  std::string_view view(const Payload& payload) const {
    return bytes_.substr(payload.begin, static_cast<std::size_t>(payload.size));
  }

  bool read_layer(const Payload& layer, std::uint64_t name_field, std::uint64_t blobs_field, ModelBlobs& found) {
    std::string name;
    std::vector<ModelBlob> blobs;
    const bool whole = walk(inside(layer), [&](const Tag& tag, const Payload& payload) {
      if (tag.type != WireType::bytes) return true;
      if (tag.number == name_field) name = clean_name(view(payload));
      return tag.number != blobs_field || read_blob(payload, blobs.emplace_back());
    });
    if (!blobs.empty()) found[name] = std::move(blobs);
    return whole;
  }

  bool read_blob(const Payload& payload, ModelBlob& result) {
    std::vector<std::int64_t> legacy(4, 1);
    bool has_legacy = false;
    std::string gathered;  // values that stand in several pieces
    const bool whole = walk(inside(payload), [&](const Tag& tag, const Payload& field) {
      if (tag.number >= blob::num && tag.number <= blob::width && tag.type == WireType::varint) {
        legacy[tag.number - blob::num] = static_cast<std::int64_t>(field.number);
        has_legacy = true;
      } else if (tag.number == blob::shape && tag.type == WireType::bytes) {
        return read_shape(field, result.dimensions);
      } else if (tag.number == blob::data || tag.number == blob::double_data) {
        if (tag.number == blob::double_data) result.type = network::ElementType::float64;
        add_values(field, result, gathered);
      }
      return true;
    });
    if (result.dimensions.empty() && has_legacy) result.dimensions = legacy;
    keep_gathered(std::move(gathered), result);
    check_size(result);
    return whole;
  }

  bool read_shape(const Payload& payload, std::vector<std::int64_t>& dimensions) const {
    return walk(inside(payload), [&](const Tag& tag, const Payload& field) {
      if (tag.number != blob_shape::dim) return true;
      if (tag.type == WireType::varint) dimensions.push_back(static_cast<std::int64_t>(field.number));
      if (tag.type != WireType::bytes) return true;
      Cursor packed = inside(field);
      while (!packed.done() && dimensions.size() < 64) {
        const auto value = read_varint(packed);
        if (!value) return false;
        dimensions.push_back(static_cast<std::int64_t>(*value));
      }
      return true;
    });
  }

  void add_values(const Payload& field, ModelBlob& result, std::string& gathered) const {
    const std::string_view piece = view(field);
    if (result.bytes.empty() && gathered.empty()) {
      result.bytes = std::as_bytes(std::span(piece));
      return;
    }
    if (gathered.empty()) gathered.assign(reinterpret_cast<const char*>(result.bytes.data()), result.bytes.size());
    gathered += piece;
  }

  void keep_gathered(std::string gathered, ModelBlob& result) const {
    result.owner = owner_;
    if (gathered.empty()) return;
    auto kept = std::make_shared<const std::string>(std::move(gathered));
    result.bytes = std::as_bytes(std::span<const char>(*kept));
    result.owner = std::move(kept);
  }

  static void check_size(ModelBlob& blob) {
    const auto count = element_count(blob.dimensions);
    const auto width = static_cast<std::size_t>(network::element_bits(blob.type) / 8);
    if (!count || static_cast<std::size_t>(*count) * width != blob.bytes.size()) blob.bytes = {};
  }

  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace

ModelBlobs read_model(std::string_view bytes, std::shared_ptr<const void> owner, Report& report) {
  ModelBlobs found;
  if (!ModelReader(bytes, std::move(owner)).read(found))
    report.warning(0, "weights", "the .caffemodel is damaged or cut short; weights after that place are missing");
  return found;
}

}  // namespace convscope::readers::caffe
