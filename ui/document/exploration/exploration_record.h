#pragma once
// What a session keeps of the exploration: the space or its file, the strategy, the file of results, the look, and what
// was chosen of a quantization.

#include <QString>
#include <map>
#include <string>

namespace convscope::ui {

class Exploration;

/// Text by name, with absolute paths; nothing of what there is not.
std::map<std::string, std::string> exploration_record(const Exploration& exploration);
/// Likewise, but only what is work: all but the look.
std::map<std::string, std::string> exploration_work(const Exploration& exploration);

/// Paths of a record as seen from the folder of the session's file.
void refer_from(const std::string& folder, std::map<std::string, std::string>& record);

/// Takes a record out of a session's file; what it says of files is read in the background. What is missing is reset.
void restore_exploration(Exploration& exploration, const std::map<std::string, std::string>& record,
                         const QString& session_file);

}  // namespace convscope::ui
