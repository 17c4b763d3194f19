#include "app/cli/program_folder.h"

#include <cctype>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/analysis/table.h"
#include "core/base/atomic_file.h"
#include "core/base/spares_inputs.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

class Writer {
 public:
  Writer(const engine::CompiledNetwork& compiled, std::string folder, const std::vector<std::string>& inputs,
         Diagnostics& diagnostics)
      : compiled_(compiled), folder_(std::move(folder)), inputs_(inputs), diagnostics_(diagnostics) {}

  Json layer(std::size_t index) {
    const network::Layer& layer = compiled_.network->layers[index];
    const target::CompiledLayer* result = compiled_.layers[index].get();
    Json json{{"name", layer.name}, {"mapped", result != nullptr && result->mapped()}};
    if (result == nullptr) complete_ = false;
    if (result == nullptr || !result->mapped())
      json["reason"] = result ? result->reason() : "cancelled before it was compiled";
    json["programs"] = Json::array();
    if (result == nullptr || !result->mapped()) return json;
    json["programs"] = programs(*result, layer.name);
    return json;
  }

  Json programs(const target::Compiled& compiled, const std::string& name) {
    Json json = Json::array();
    const std::string stem = unique_stem(name);
    for (int program = 0; program < compiled.program_count(); ++program)
      json.push_back(this->program(compiled, program, fmt::format("{}.{}", stem, program)));
    return json;
  }

  bool complete() const { return complete_; }
  bool fine() const { return fine_; }

  void write(const std::string& name, const std::string& content) {
    const std::string path = (std::filesystem::path(folder_) / name).string();
    fine_ &= spares_inputs(path, inputs_, diagnostics_) && write_file_atomically(path, content, diagnostics_);
  }

 private:
  // Different layers may have names that differ only in characters that file names can't have.
  std::string unique_stem(const std::string& layer) {
    std::string stem = file_stem(layer);
    for (int number = 2; !stems_.insert(stem).second; ++number) stem = fmt::format("{}_{}", file_stem(layer), number);
    return stem;
  }

  Json program(const target::Compiled& compiled, int index, const std::string& stem) {
    Json json{{"name", compiled.program_name(index)}};
    const auto add = [&](const char* key, const std::string& ending, const std::string& content) {
      if (content.empty()) return;
      json[key] = stem + ending;
      write(stem + ending, content);
    };
    add("program", "." + compiled_.target->id() + ".json", compiled.program_file(index));
    if (const auto listing = compiled.listing(index)) add("assembly", ".s", listing->assembly);
    if (const auto map = compiled.memory_map(index)) add("memory", ".memory.csv", memory_map_csv(*map));
    if (const auto source = compiled.source(index)) add_source(json, *source, stem);
    return json;
  }

  // Files that include one another keep their names, so each program has a folder.
  void add_source(Json& json, const artifact::Source& source, const std::string& stem) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(folder_) / stem, error);
    if (error) {
      fine_ = false;
      diagnostics_.error({stem, 0, {}}, "the folder can't be made: " + error.message());
      return;
    }
    json["source"] = stem + '/' + source.main.name;
    write(stem + '/' + source.main.name, source.main.text);
    json["beside"] = Json::array();
    for (const artifact::SourceFile& file : source.beside) {
      json["beside"].push_back(stem + '/' + file.name);
      write(stem + '/' + file.name, file.text);
    }
  }

  const engine::CompiledNetwork& compiled_;
  std::string folder_;
  const std::vector<std::string>& inputs_;
  Diagnostics& diagnostics_;
  std::set<std::string> stems_;
  bool complete_ = true, fine_ = true;
};

Json parameters_json(const arch::ParameterValues& machine) {
  Json json = Json::object();
  const auto& parameters = machine.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == arch::ParameterKind::choice)
      json[parameters[i].name] = machine.text(i);
    else
      json[parameters[i].name] = machine.at(i);
  }
  return json;
}

}  // namespace

std::string index_path(const std::string& folder) {
  return (std::filesystem::path(folder) / "index.json").string();
}

std::string file_stem(const std::string& layer) {
  std::string stem;
  for (const char c : layer) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    stem += plain && !(stem.empty() && c == '.') ? c : '_';
  }
  constexpr std::size_t longest_stem = 120;  // file systems take 255 bytes, of which ends and numbers need some
  return stem.empty() ? "_" : stem.substr(0, longest_stem);
}

std::string memory_map_csv(const artifact::MemoryMap& map) {
  analysis::TextTable table{
      {"memory", "capacity", "word_bits", "block", "kind", "first_word", "words", "live_from", "live_to"}, {}};
  for (const artifact::Memory& memory : map.memories)
    for (const artifact::MemoryBlock& block : memory.blocks)
      table.rows.push_back({memory.name, std::to_string(memory.capacity), std::to_string(memory.word_bits), block.name,
                            std::string(artifact::operation_class_name(block.kind)), std::to_string(block.first_word),
                            std::to_string(block.words), std::to_string(block.live_from),
                            std::to_string(block.live_to)});
  return analysis::comma_separated(table);
}

bool write_program_folder(const engine::CompiledNetwork& compiled, const std::vector<int>& only_layers,
                          const std::string& folder, const std::vector<std::string>& inputs, Diagnostics& diagnostics) {
  Writer writer(compiled, folder, inputs, diagnostics);
  Json layers = Json::array();
  if (only_layers.empty())
    for (std::size_t i = 0; i < compiled.network->layers.size(); ++i) layers.push_back(writer.layer(i));
  for (const int index : only_layers) layers.push_back(writer.layer(static_cast<std::size_t>(index)));
  Json json{{"schema", "convscope-programs"},
            {"version", 1},
            {"network", compiled.network->name},
            {"target", compiled.target->id()},
            {"preset", compiled.preset},
            {"level", compiled.level},
            {"parameters", parameters_json(compiled.machine)},
            {"complete", writer.complete()},
            {"layers", layers}};
  if (compiled.linked && compiled.linked->program_count() > 0)
    json["network_programs"] = writer.programs(*compiled.linked, "network");
  writer.write("index.json", json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
  return writer.fine();
}

}  // namespace convscope::cli
