#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/labs/elements.h"
#include "core/labs/lab_file.h"

namespace convscope::labs {
namespace {

constexpr double most_points = 1000, most_minutes = 10'000, most_mebibytes = 1 << 20, most_steps = 1e12;
constexpr double largest_value = 1e18;

class LabReader {
 public:
  explicit LabReader(const Elements& elements) : elements_(elements) {}

  Lab read(pugi::xml_node root) {
    elements_.expect(root, {"name", "title", "network", "minutes"});
    lab_.name = elements_.name(root);
    lab_.title = elements_.text(root, "title", true);
    lab_.network = elements_.text(root, "network", true);
    lab_.minutes = static_cast<int>(elements_.number(root, "minutes", 0, most_minutes).value_or(0));
    for (const pugi::xml_node child : root.children()) read_part(child);
    if (lab_.machine.target.empty()) elements_.error(root, "no machine to start from", "<machine target=\"…\"/>");
    if (lab_.tasks.empty()) elements_.error(root, "no task", "at least one <task>");
    for (const auto& [node, at] : requirements_) check_subjects(node, at);
    return std::move(lab_);
  }

 private:
  void read_part(pugi::xml_node node) {
    const std::string_view name = node.name();
    if (name == "machine") return read_machine(node);
    if (name == "allow") return read_allowance(node);
    if (name == "budget") return read_budget(node);
    if (name == "question") return read_question(node);
    if (name == "program") return read_program(node);
    if (name == "tiling") return read_tiling(node);
    if (name == "task") return read_task(node);
    unknown(node, "<machine>, <allow>, <budget>, <question>, <program>, <tiling> or <task>");
  }

  void unknown(pugi::xml_node node, std::string expected) const {
    if (node.type() == pugi::node_element) return elements_.error(node, "unknown element", std::move(expected));
    elements_.error(node.parent(), "text outside of its elements", std::move(expected));
  }

  void read_machine(pugi::xml_node node) {
    if (!lab_.machine.target.empty()) return elements_.error(node, "a second machine", "one");
    elements_.expect(node, {"target", "preset", "level"});
    lab_.machine = {elements_.name(node, "target"),
                    elements_.text(node, "preset"),
                    elements_.text(node, "level"),
                    {},
                    elements_.line(node)};
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "parameter") {
        unknown(child, "<parameter name=\"…\" value=\"…\"/>");
      } else if (elements_.expect(child, {"name", "value"}) &&
                 elements_.has_room(child, lab_.machine.parameters.size(), most_items)) {
        lab_.machine.parameters.push_back(
            {elements_.name(child), elements_.text(child, "value", true), elements_.line(child)});
      }
    }
  }

  void read_allowance(pugi::xml_node node) {
    if (!elements_.expect(node, {"level", "parameter", "from", "to"}) ||
        !elements_.has_room(node, lab_.allowances.size(), most_items))
      return;
    Allowance allowance;
    allowance.line = elements_.line(node);
    allowance.levels = words(elements_.text(node, "level"));
    if (allowance.levels.empty() == !node.attribute("parameter"))
      return elements_.error(node, "says neither or both of level and parameter", "level=\"…\" or parameter=\"…\"");
    if (node.attribute("parameter")) allowance.parameter = elements_.name(node, "parameter");
    allowance.from = elements_.number(node, "from", -largest_value, largest_value);
    allowance.to = elements_.number(node, "to", -largest_value, largest_value);
    if (!allowance.levels.empty() && (allowance.from || allowance.to))
      return elements_.error(node, "levels have no range", "levels, with blanks between them");
    if (allowance.from && allowance.to && *allowance.from > *allowance.to)
      return elements_.error(node, "the range is empty", "from <= to");
    lab_.allowances.push_back(std::move(allowance));
  }

  void read_budget(pugi::xml_node node) {
    elements_.expect(node, {"steps", "mebibytes"});
    const auto steps = elements_.number(node, "steps", 1, most_steps);
    const auto mebibytes = elements_.number(node, "mebibytes", 256, most_mebibytes);
    if (steps) lab_.budget.steps = static_cast<std::int64_t>(*steps);
    if (mebibytes) lab_.budget.mebibytes = static_cast<std::int64_t>(*mebibytes);
  }

  /// Its name, which no other of its kind has.
  template <typename Item>
  bool begin(pugi::xml_node node, const std::vector<std::string_view>& attributes, const std::vector<Item>& others,
             Item& item) {
    if (!elements_.has_room(node, others.size(), most_items) || !elements_.expect(node, attributes)) return false;
    item.name = elements_.name(node);
    item.line = elements_.line(node);
    if (find_named(others, item.name)) return elements_.error(node, "given twice", "a name of its own"), false;
    return !item.name.empty();
  }

  void read_question(pugi::xml_node node) {
    Question question;
    if (!begin(node, {"name", "unit"}, lab_.questions, question)) return;
    question.unit = elements_.text(node, "unit");
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = child.name();
      if (name == "text") {
        question.text = elements_.prose_of(child);
      } else if (name == "choice" && elements_.has_room(child, question.choices.size(), most_items)) {
        elements_.expect(child, {"name"});
        question.choices.push_back({elements_.name(child), elements_.prose_of(child)});
      } else {
        unknown(child, "<text> or <choice name=\"…\">");
      }
    }
    if (question.text.empty()) elements_.error(node, "asks nothing", "<text>…</text>");
    if (question.choices.size() == 1) elements_.error(node, "a single choice", "two, or none for a number");
    lab_.questions.push_back(std::move(question));
  }

  /// The one <text> of an element; the others are not known.
  std::string only_text(pugi::xml_node node) {
    std::string text;
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) == "text")
        text = elements_.prose_of(child);
      else
        unknown(child, "<text>");
    }
    return text;
  }

  void read_program(pugi::xml_node node) {
    ProgramWanted wanted;
    if (!begin(node, {"name", "layer", "program"}, lab_.programs, wanted)) return;
    wanted.layer = elements_.text(node, "layer", true);
    wanted.program = static_cast<int>(elements_.number(node, "program", 0, 1e6).value_or(0));
    wanted.text = only_text(node);
    lab_.programs.push_back(std::move(wanted));
  }

  void read_tiling(pugi::xml_node node) {
    TilingWanted wanted;
    if (!begin(node, {"name", "layer"}, lab_.tilings, wanted)) return;
    wanted.layer = elements_.text(node, "layer", true);
    wanted.text = only_text(node);
    lab_.tilings.push_back(std::move(wanted));
  }

  void read_task(pugi::xml_node node) {
    Task task;
    if (!begin(node, {"name", "title", "points"}, lab_.tasks, task)) return;
    task.title = elements_.text(node, "title", true);
    task.points = elements_.number(node, "points", 0, most_points).value_or(1);
    for (const pugi::xml_node child : node.children()) read_part_of(child, task);
    if (task.requirements.empty()) elements_.error(node, "requires nothing", "at least one <require>");
    lab_.tasks.push_back(std::move(task));
  }

  void read_part_of(pugi::xml_node node, Task& task) {
    const std::string_view name = node.name();
    if (name == "text") {
      task.text = elements_.prose_of(node);
    } else if (name == "hint" && elements_.has_room(node, task.hints.size(), most_items)) {
      task.hints.push_back(elements_.prose_of(node));
    } else if (name == "require" && elements_.has_room(node, task.requirements.size(), most_items)) {
      read_requirement(node, task);
    } else {
      unknown(node, "<text>, <hint> or <require>");
    }
  }

  void read_requirement(pugi::xml_node node, Task& task) {
    elements_.expect(node, {"otherwise"});
    const auto content = elements_.content(node);
    if (!content) return;
    auto expression = explore::Expression::parse(prose(*content), elements_.where(node), elements_.diagnostics(),
                                                 explore::Expression::Subjects::quoted);
    if (!expression) return;
    task.requirements.push_back({*std::move(expression), elements_.text(node, "otherwise"), elements_.line(node)});
    requirements_.emplace_back(node, task.requirements.back());
  }

  /// Questions, programs and tilings that are asked for must be there: they may stand behind the task.
  void check_subjects(pugi::xml_node node, const Requirement& requirement) const {
    for (const std::string& text : requirement.expression.names()) {
      const FigureName name = figure_name(text);
      if (name.whose.empty() && name.figure == "answer" && !find_named(lab_.questions, name.subject))
        elements_.error(node, fmt::format("there is no question {}", in_quotes(name.subject)), "answer('QUESTION')");
      if (name.whose == "program" && !find_named(lab_.programs, name.subject))
        elements_.error(node, fmt::format("there is no program {}", in_quotes(name.subject)),
                        fmt::format("program.{}('PROGRAM')", name.figure));
      if (name.whose == "tiling" && !find_named(lab_.tilings, name.subject))
        elements_.error(node, fmt::format("there is no tiling {}", in_quotes(name.subject)),
                        fmt::format("tiling.{}('TILING')", name.figure));
    }
  }

  const Elements& elements_;
  Lab lab_;
  std::vector<std::pair<pugi::xml_node, Requirement>> requirements_;
};

}  // namespace

std::optional<Lab> read_lab(std::string_view xml, const std::string& file, Diagnostics& diagnostics) {
  if (xml.size() > largest_lab) {
    diagnostics.error({file, 0, {}}, fmt::format("a lab of {} bytes", xml.size()),
                      fmt::format("at most {}", largest_lab));
    return std::nullopt;
  }
  Diagnostics own;  // so that only its own errors count
  const auto document = XmlDocument::parse(xml, file, own);
  std::optional<Lab> lab;
  if (document) {
    const Elements elements(*document, own);
    if (std::string_view(document->root().name()) == "lab")
      lab = LabReader(elements).read(document->root());
    else
      elements.error(document->root(), "this is no lab", "<lab name=\"…\"> as the outermost element");
  }
  diagnostics.append(own);
  return own.has_errors() ? std::nullopt : std::move(lab);
}

}  // namespace convscope::labs
