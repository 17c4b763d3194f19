#include "core/nmp/trained/trained_dram.h"

#include <utility>

#include <fmt/format.h>

#include "core/nmp/host/reference_output.h"

namespace convscope::nmp {
namespace {

class DramWriter {
 public:
  DramWriter(const LinkedProgram& linked, const NetworkNumbers& numbers)
      : linked_(linked), program_(*linked.program), numbers_(numbers) {}

  /// `given`: by storage the tensor that is there from the start; `values`: by tensor.
  std::optional<std::vector<std::uint8_t>> write(const std::vector<int>& given,
                                                 const std::map<int, std::vector<double>>& values,
                                                 const network::Network& network, Diagnostics& diagnostics) {
    dram_.resize(static_cast<std::size_t>(program_.dram_bytes));
    if (const Region* const tables = program_.tables_region())
      for (std::size_t i = 0; i < program_.tables.size(); ++i)
        write_element(dram_, tables->first_byte + static_cast<std::int64_t>(4 * i), 4,
                      static_cast<std::int32_t>(program_.tables[i]));
    for (std::size_t i = 0; i < program_.layers.size(); ++i)
      put(program_.layers[i].weights.first_byte, weights_of(linked_.computed[i]));
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i] < 0) continue;
      const auto value = values.find(given[i]);
      if (value != values.end() && write_given(i, given[i], value->second)) continue;
      diagnostics.error({network.source_file, 0, fmt::format("input '{}'", storage(i).name)},
                        "there are no values of the size that the program reads");
      return std::nullopt;
    }
    return std::move(dram_);
  }

 private:
  int bytes() const { return program_.machine.element_bytes; }

  /// Nothing where the operand is computed.
  const std::vector<std::int32_t>& weights_of(const ComputedStep& computed) const {
    static const std::vector<std::int32_t> none;
    const StepNumbers& numbers = numbers_.steps[computed.step];
    if (computed.part == 0) return numbers.weights;
    return computed.part <= numbers.more_weights.size() ? numbers.more_weights[computed.part - 1] : none;
  }

  void put(std::int64_t byte, const std::vector<std::int32_t>& words) {
    for (const std::int32_t word : words) write_element(dram_, std::exchange(byte, byte + bytes()), bytes(), word);
  }

  const Storage& storage(std::size_t index) const { return linked_.flow.storages[index]; }

  /// Each image of a batch has it.
  bool write_given(std::size_t index, int tensor, const std::vector<double>& values) {
    const auto& format = numbers_.formats[static_cast<std::size_t>(tensor)];
    if (!format || storage(index).elements != static_cast<std::int64_t>(values.size())) return false;
    const std::int64_t first = linked_.first_map_byte + linked_.maps.first_bytes[index];
    for (int image = 0; image < linked_.images; ++image)
      put(first + image * storage(index).elements * bytes(), words_of(values, *format));
    return true;
  }

  const LinkedProgram& linked_;
  const Program& program_;
  const NetworkNumbers& numbers_;
  std::vector<std::uint8_t> dram_;
};

}  // namespace

std::optional<std::vector<std::uint8_t>> write_trained_dram(const LinkedProgram& linked, const NetworkNumbers& numbers,
                                                            const std::vector<int>& given,
                                                            const std::map<int, std::vector<double>>& values,
                                                            const network::Network& network, Diagnostics& diagnostics) {
  return DramWriter(linked, numbers).write(given, values, network, diagnostics);
}

}  // namespace convscope::nmp
