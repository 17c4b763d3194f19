#pragma once
// The rules of the house (docs/contributing.md), one function each. Every function returns its violations, one text
// for each, with file and line; none if the rule holds.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace convscope::structure {

using Violations = std::vector<std::string>;

/// A folder of core/ or ui/ includes only itself and folders on lower floors; core/ includes neither ui/ nor app/, ui/
/// not app/; each folder of core/ and ui/ has a floor.
Violations includes_upward(const SourceTree& tree);
/// No file includes itself, however far round.
Violations include_circles(const SourceTree& tree);
/// No folder below `top` ("core", "ui") includes itself by way of others, on whatever level one looks: folders inside
/// the same folder, and the files that lie in it directly, stand on floors.
Violations folder_circles(const SourceTree& tree, const std::string& top);
/// Target folders don't know each other, and so it is with readers' folders.
Violations includes_between_targets(const SourceTree& tree);
/// core/ and the command line (app/ apart from app/window) use neither Qt nor ui/.
Violations qt_below_the_window(const SourceTree& tree);
/// core/<target>/verify includes only its own folder, its target's architecture, artifact, arch and base; and nothing
/// that it includes leads to its target's other folders.
Violations verifiers_that_share_code(const SourceTree& tree);
/// ui/ and the window's application include no target's folder, nor a header that leads to one.
Violations targets_in_the_window(const SourceTree& tree);
/// What the catalogue of targets includes, and each folder of core/ with a class derived from Target, has an
/// architecture/ folder, by which these rules know targets.
Violations hidden_targets(const SourceTree& tree);
/// Keys of targets' own figures, with the targets that have them.
using FigureKeys = std::map<std::string, std::set<std::string>>;
/// No key of a target's figure is written outside its folder (core/figures, which makes the figures of a publication
/// again, apart). Keys of a single plain word are not looked for: they mean other things elsewhere.
Violations figure_keys_outside_targets(const SourceTree& tree, const FigureKeys& keys);
/// Views, and the parts and plots that they are made of, know their host, neither the window nor its document.
Violations views_that_know_the_window(const SourceTree& tree);
/// Colours are written in ui/theme alone.
Violations literal_colours(const SourceTree& tree);
/// Background work of the window is started in ui/jobs alone, which stands on nothing of ui/.
Violations threads_outside_jobs(const SourceTree& tree);
/// Each header starts with #pragma once.
Violations headers_without_guard(const SourceTree& tree);
/// A file with tests is called `<thing>_test.cpp`, and none is called so without.
Violations tests_named_otherwise(const SourceTree& tree);
/// No file has more than 600 lines.
Violations long_files(const SourceTree& tree);

}  // namespace convscope::structure
