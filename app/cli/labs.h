#pragma once
// What the commands about labs share.

#include <string>
#include <vector>

#include "app/cli/context.h"
#include "app/cli/exit_codes.h"
#include "core/labs/grade.h"

namespace convscope::cli {

enum class GradeFormat { text, csv, json };

/// A lab by its folder, or one of the samples by its name. Null, with diagnostics reported, if it is refused.
labs::OpenLabPointer open_lab(const std::string& name, Context& context);

/// Tries the lab on its own machine, and says that it is correct; warnings tell of figures without a value there.
ExitCode check_lab(const labs::OpenLab& lab, Context& context);

/// Looks at submissions one after the other in this process, and prints what `grade` reads: not_all_passed if one
/// doesn't pass every task.
ExitCode check_submissions(const labs::OpenLab& lab, const std::vector<std::string>& files, GradeFormat format,
                           Context& context);

/// Grades submissions, each in a process of its own; names of folders stand for all submissions in them.
ExitCode grade_submissions(const labs::OpenLabPointer& lab, const std::vector<std::string>& names, GradeFormat format,
                           Context& context);

}  // namespace convscope::cli
