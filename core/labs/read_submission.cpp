#include <algorithm>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/labs/elements.h"
#include "core/labs/submission.h"

namespace convscope::labs {
namespace {

constexpr std::size_t most_of_each = 1000;
constexpr int most_hints = 1000;

/// Ends of lines as they are in XML.
std::string plain_lines(const std::string& text) {
  std::string lines;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      lines += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      lines += '\n';
  }
  return lines;
}

class SubmissionReader {
 public:
  explicit SubmissionReader(const Elements& elements) : elements_(elements) {}

  Submission read(pugi::xml_node root) {
    elements_.expect(root, {"lab", "hash", "by"});
    submission_.lab = elements_.name(root, "lab");
    submission_.hash = elements_.text(root, "hash");
    submission_.by = elements_.text(root, "by");
    for (const pugi::xml_node child : root.children()) read_part(child);
    return std::move(submission_);
  }

 private:
  void read_part(pugi::xml_node node) {
    const std::string_view name = node.name();
    if (name == "machine") return read_machine(node);
    if (name == "answer") return read_answer(node);
    if (name == "program") return read_program(node);
    if (name == "tiling") return read_tiling(node);
    if (name == "hints") return read_hints(node);
    unknown(node, "<machine>, <answer>, <program>, <tiling> or <hints>");
  }

  void unknown(pugi::xml_node node, std::string expected) const {
    if (node.type() == pugi::node_element) return elements_.error(node, "unknown element", std::move(expected));
    elements_.error(node.parent(), "text outside of its elements", std::move(expected));
  }

  void read_machine(pugi::xml_node node) {
    if (machine_) return elements_.error(node, "a second machine", "one");
    machine_ = true;
    elements_.expect(node, {"level"});
    submission_.level = elements_.text(node, "level");
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "parameter") {
        unknown(child, "<parameter name=\"…\" value=\"…\"/>");
      } else if (elements_.expect(child, {"name", "value"}) &&
                 begin(child, submission_.parameters, &Assignment::name, child.attribute("name").value())) {
        submission_.parameters.push_back(
            {elements_.name(child), elements_.text(child, "value", true), elements_.line(child)});
      }
    }
  }

  /// Whether there is room, and no other of this name.
  template <typename Item>
  bool begin(pugi::xml_node node, const std::vector<Item>& others, std::string Item::*name,
             std::string_view own) const {
    if (!elements_.has_room(node, others.size(), most_of_each)) return false;
    if (std::none_of(others.begin(), others.end(), [&](const Item& each) { return each.*name == own; })) return true;
    elements_.error(node, fmt::format("{} is given twice", in_quotes(own)), "each once");
    return false;
  }

  void read_answer(pugi::xml_node node) {
    elements_.expect(node, {"question"});
    if (begin(node, submission_.answers, &Answer::question, node.attribute("question").value()))
      submission_.answers.push_back({elements_.name(node, "question"), elements_.prose_of(node)});
  }

  void read_program(pugi::xml_node node) {
    if (node.attribute("file"))
      return elements_.error(node, "names a file", "the program's text in the element",
                             "a submission is one file; `convscope-cli lab submit` puts programs into it");
    elements_.expect(node, {"name"});
    if (!begin(node, submission_.programs, &HandedProgram::name, node.attribute("name").value())) return;
    if (auto text = elements_.content(node))
      submission_.programs.push_back({elements_.name(node), plain_lines(*text), elements_.line(node)});
  }

  void read_tiling(pugi::xml_node node) {
    elements_.expect(node, {"name", "strategy"});
    if (!begin(node, submission_.tilings, &HandedTiling::name, node.attribute("name").value())) return;
    HandedTiling tiling{elements_.name(node), elements_.text(node, "strategy", true), {}, elements_.line(node)};
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "size")
        unknown(child, "<size name=\"…\" value=\"…\"/>");
      else if (begin(child, tiling.sizes, &TileSizeSet::name, child.attribute("name").value()))
        read_size(child, tiling);
    }
    submission_.tilings.push_back(std::move(tiling));
  }

  void read_hints(pugi::xml_node node) {
    elements_.expect(node, {"task", "opened"});
    if (!begin(node, submission_.hints, &OpenedHints::task, node.attribute("task").value())) return;
    const auto opened = parse_integer<int>(node.attribute("opened").value());
    if (!opened || *opened < 1 || *opened > most_hints)
      return elements_.error(node, "'opened' is no number of hints", fmt::format("1 to {}", most_hints));
    submission_.hints.push_back({elements_.name(node, "task"), *opened});
  }

  void read_size(pugi::xml_node node, HandedTiling& tiling) const {
    elements_.expect(node, {"name", "value"});
    const auto value = parse_integer<std::int64_t>(node.attribute("value").value());
    if (!value) return elements_.error(node, "'value' is no size", "a whole number");
    tiling.sizes.push_back({elements_.name(node), *value});
  }

  const Elements& elements_;
  Submission submission_;
  bool machine_ = false;
};

}  // namespace

std::optional<Submission> read_submission(std::string_view xml, const std::string& file, Diagnostics& diagnostics) {
  Diagnostics own;  // so that only its own errors count
  const auto document = XmlDocument::parse(xml, file, own);
  std::optional<Submission> submission;
  if (document) {
    const Elements elements(*document, own);
    if (std::string_view(document->root().name()) == "submission")
      submission = SubmissionReader(elements).read(document->root());
    else
      elements.error(document->root(), "this is no submission", "<submission lab=\"…\"> as the outermost element");
  }
  diagnostics.append(own);
  return own.has_errors() ? std::nullopt : std::move(submission);
}

std::optional<Submission> load_submission(const std::string& path, Diagnostics& diagnostics) {
  const auto text = read_file(path, diagnostics, largest_submission);
  return text ? read_submission(*text, path, diagnostics) : std::nullopt;
}

}  // namespace convscope::labs
