#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/base/numbers.h"
#include "core/nve/architecture/assembly.h"
#include "core/nve/architecture/program_check.h"

namespace convscope::nve {
namespace {

using ReadJson = nlohmann::json;

constexpr int depth_cap = 6;

class ProgramReader {
 public:
  ProgramReader(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  std::optional<Program> read(const ReadJson& json) {
    std::vector<std::string> keys = {"format", "version",  "name",  "machine", "layer",  "inputs",
                                     "maps",   "settings", "words", "initial", "repeat", "coefficient_words",
                                     "final"};
    const bool looped = json.is_object() && json.contains("pass");
    if (looped) keys.emplace_back("pass");
    if (!members(json, "program", keys)) return std::nullopt;
    if (text(json["format"], "format") != "convscope-nve-program" || number(json["version"], "version") != 1)
      fail("format", "another format or version", "\"convscope-nve-program\", version 1");
    program_.name = text(json["name"], "name");
    machine(json["machine"]);
    layer(json["layer"]);
    program_.inputs = numbers(json["inputs"], "inputs");
    maps(json["maps"]);
    coefficients(json["coefficient_words"]);
    settings(json["settings"]);
    words(json["words"]);
    traffic(json["initial"], "initial", program_.initial);
    traffic(json["repeat"], "repeat", program_.repeat);
    if (looped) traffic(json["pass"], "pass", program_.pass);
    traffic(json["final"], "final", program_.final);
    if (!ok_ || !check_program(program_, file_, diagnostics_)) return std::nullopt;
    return std::move(program_);
  }

 private:
  static constexpr std::size_t most_diagnostics = 100;

  void fail(const std::string& element, const std::string& what, const std::string& expected) {
    ok_ = false;
    if (diagnostics_.items().size() < most_diagnostics) diagnostics_.error({file_, 0, element}, what, expected);
  }

  bool members(const ReadJson& json, const std::string& element, const std::vector<std::string>& keys) {
    if (!json.is_object()) {
      fail(element, json.type_name(), "an object");
      return false;
    }
    bool complete = true;
    for (const std::string& key : keys)
      if (!json.contains(key)) {
        fail(element, fmt::format("no member '{}'", key), "all members");
        complete = false;
      }
    for (const auto& [key, value] : json.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail(element, fmt::format("unknown member '{}'", key.substr(0, 40)), fmt::format("{}", fmt::join(keys, ", ")));
    return complete;
  }

  const ReadJson& array(const ReadJson& json, const std::string& element) {
    static const ReadJson none = ReadJson::array();
    if (json.is_array()) return json;
    fail(element, json.type_name(), "an array");
    return none;
  }

  int number(const ReadJson& json, const std::string& element) {
    const bool whole =
        json.is_number_integer() && (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT32_MAX);
    const std::int64_t value = whole ? json.get<std::int64_t>() : 0;
    if (!whole || value > std::numeric_limits<int>::max() || value < std::numeric_limits<int>::min()) {
      fail(element, json.is_number() ? "number is no integer or too large" : json.type_name(), "an integer");
      return 0;
    }
    return static_cast<int>(value);
  }

  std::vector<int> numbers(const ReadJson& json, const std::string& element) {
    std::vector<int> values;
    for (const ReadJson& item : array(json, element)) values.push_back(number(item, element));
    return values;
  }

  /// Exactly so many numbers; zeros if there are others.
  std::vector<int> numbers(const ReadJson& json, const std::string& element, std::size_t count) {
    std::vector<int> values = numbers(json, element);
    if (values.size() != count) fail(element, fmt::format("{} numbers", values.size()), fmt::format("{}", count));
    values.resize(count);
    return values;
  }

  std::string text(const ReadJson& json, const std::string& element) {
    if (json.is_string()) return json.get<std::string>();
    fail(element, json.type_name(), "a text");
    return {};
  }

  void machine(const ReadJson& json) {
    arch::ParameterValues values(machine_description());
    std::vector<std::string> keys;
    for (const auto& parameter : values.description().parameters)
      if (!is_later_parameter(parameter.name) || (json.is_object() && json.contains(parameter.name)))
        keys.push_back(parameter.name);
    if (!members(json, "machine", keys)) return;
    Diagnostics found;
    for (const std::string& key : keys) {
      const ReadJson& value = json[key];
      if (!value.is_string() && !value.is_number()) {
        fail("machine " + key, value.type_name(), "a number or the name of a choice");
        continue;
      }
      const std::string spelling = value.is_string()         ? value.get<std::string>()
                                   : value.is_number_float() ? fmt::format("{}", value.get<double>())
                                                             : value.dump();
      values.set(key, spelling, found, {file_, 0, "machine " + key});
    }
    if (!found.has_errors()) values.check(found);
    diagnostics_.append(found);
    ok_ = ok_ && !found.has_errors();
    if (ok_) program_.machine = machine_from(values);
  }

  void layer(const ReadJson& json) {
    std::vector<std::string> keys = {"name", "kernel", "stride", "polyphase", "padding", "output", "input"};
    if (json.is_object() && json.contains("dilation")) keys.emplace_back("dilation");
    if (!members(json, "layer", keys)) return;
    program_.layer = text(json["name"], "layer name");
    if (!json["polyphase"].is_boolean())
      fail("polyphase", json["polyphase"].type_name(), "true or false");
    else
      program_.polyphase = json["polyphase"].get<bool>();
    pair(json["kernel"], "kernel", program_.kernel_height, program_.kernel_width);
    pair(json["stride"], "stride", program_.stride_height, program_.stride_width);
    if (keys.back() == "dilation")
      pair(json["dilation"], "dilation", program_.dilation_height, program_.dilation_width);
    pair(json["padding"], "padding", program_.padding_top, program_.padding_left);
    pair(json["output"], "output", program_.out_height, program_.out_width);
    const std::vector<int> input = numbers(json["input"], "input", 3);
    program_.in_maps = input[0];
    program_.in_height = input[1];
    program_.in_width = input[2];
  }

  void pair(const ReadJson& json, const std::string& element, int& first, int& second) {
    const std::vector<int> values = numbers(json, element, 2);
    first = values[0];
    second = values[1];
  }

  void maps(const ReadJson& json) {
    for (const ReadJson& item : array(json, "maps")) {
      if (!members(item, "maps", {"map", "inputs"})) return;
      program_.maps.push_back({number(item["map"], "maps"), numbers(item["inputs"], "maps")});
    }
  }

  void coefficients(const ReadJson& json) {
    for (const ReadJson& places : array(json, "coefficient_words")) {
      std::vector<Coefficient> word;
      for (const ReadJson& place : array(places, "coefficient_words")) {
        Coefficient coefficient;
        if (!place.is_null()) pair(place, "coefficient_words", coefficient.map, coefficient.ordinal);
        if (!place.is_null() && coefficient.map < 0) fail("coefficient_words", "negative map", "0 or more, or null");
        word.push_back(coefficient);
      }
      program_.coefficient_words.push_back(std::move(word));
    }
  }

  void settings(const ReadJson& json) {
    std::vector<std::pair<std::string, int*>> fields = {{"initial_size", &program_.initial_size},
                                                        {"prologue_begin", &program_.prologue_begin},
                                                        {"repeat_size", &program_.repeat_size},
                                                        {"iterations", &program_.iterations},
                                                        {"final_size", &program_.final_size},
                                                        {"increment", &program_.increment},
                                                        {"toggle", &program_.toggle},
                                                        {"activation_shift", &program_.activation_shift}};
    std::vector<std::string> keys;
    for (const auto& [key, value] : fields) keys.push_back(key);
    int head_size = 0;
    const std::pair<std::string, int*> optional[] = {{"head_size", &head_size},
                                                     {"passes", &program_.passes},
                                                     {"units", &program_.units},
                                                     {"lead", &program_.lead},
                                                     {"bias_shift", &program_.bias_shift}};
    for (const auto& [key, value] : optional)
      if (json.is_object() && json.contains(key)) {
        keys.push_back(key);
        fields.emplace_back(key, value);
      }
    if (!members(json, "settings", keys)) return;
    for (const auto& [key, value] : fields) *value = number(json[key], key);
    inner_loop(json, head_size);
  }

  /// Each of these says nothing without the other.
  void inner_loop(const ReadJson& json, int head_size) {
    if (json.contains("head_size") != json.contains("passes"))
      fail("settings", "one of head_size and passes", "both, or none");
    if (json.contains("lead") != json.contains("units")) fail("settings", "one of units and lead", "both, or none");
    if (!json.contains("head_size")) return;
    if (head_size < 0 || head_size >= program_.repeat_size)
      return fail("head_size", fmt::format("{}", head_size), "0 to less than repeat_size");
    program_.pass_size = program_.repeat_size - head_size;
  }

  void words(const ReadJson& json) {
    for (const ReadJson& item : array(json, "words")) {
      const std::string digits = text(item, "words");
      if (digits.size() != 32 || digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
        fail(fmt::format("words {}", program_.words.size()), "no encoded word",
             "32 hexadecimal digits, a to f in small letters");
        return;
      }
      program_.words.push_back({*parse_integer<std::uint64_t>(digits.substr(16), 16),
                                *parse_integer<std::uint64_t>(digits.substr(0, 16), 16)});
    }
  }

  void traffic(const ReadJson& json, const std::string& element, SectionTraffic& traffic) {
    if (!members(json, element, {"stream", "outputs"})) return;
    for (const ReadJson& item : array(json["stream"], element)) stream_word(item, element + " stream", traffic);
    for (const ReadJson& item : array(json["outputs"], element)) {
      const std::vector<int> values = numbers(item, element + " outputs", 3);
      traffic.outputs.push_back({values[0], values[1], values[2]});
    }
  }

  void stream_word(const ReadJson& item, const std::string& element, SectionTraffic& traffic) {
    StreamWord word;
    const std::string kind = item.is_array() && !item.empty() && item[0].is_string() ? item[0].get<std::string>() : "";
    if (kind == "coefficients" && item.size() == 2) {
      word.kind = StreamWord::Kind::coefficients;
      word.index = number(item[1], element);
    } else if (kind == "pixels" && item.size() == 4) {
      word.index = number(item[1], element);
      word.column = number(item[2], element);
      word.word = number(item[3], element);
    } else if (kind == "unit" && item.size() == 3) {
      word.kind = StreamWord::Kind::unit;
      word.index = number(item[1], element);
      word.word = number(item[2], element);
    } else if (kind == "ordered" && item.size() == 2) {
      word.kind = StreamWord::Kind::ordered;
      word.index = number(item[1], element);
    } else {
      return fail(element, "no stream item",
                  "[\"coefficients\", index], [\"pixels\", input, column, word], [\"unit\", number, word] or "
                  "[\"ordered\", number]");
    }
    traffic.stream.push_back(word);
  }

  const std::string& file_;
  Diagnostics& diagnostics_;
  Program program_;
  bool ok_ = true;
};

}  // namespace

std::optional<Program> read_program_file(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  const JsonLimits limits{largest_text, depth_cap, largest_text};
  if (!check_json(text, file, limits, "a program file", diagnostics)) return std::nullopt;
  const ReadJson json = ReadJson::parse(text.begin(), text.end(), nullptr, false);
  return ProgramReader(file, diagnostics).read(json);
}

std::optional<Program> read_any_program(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                                        std::vector<int>* lines) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return read_program_file(text, file, diagnostics);
  return parse_assembly(text, file, diagnostics, lines);
}

}  // namespace convscope::nve
