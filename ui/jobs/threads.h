#pragma once
// The threads of jobs. They belong to nobody, so that nobody has to wait for them but the end of the program.

#include <chrono>
#include <functional>
#include <stop_token>

namespace convscope::ui {

/// Runs `work` on a thread of its own and returns at once. `stop` is asked when the program ends.
void start_thread(std::stop_source stop, std::function<void()> work);

/// Waits until no such thread runs; false if one still does after that time.
bool wait_for_threads(std::chrono::milliseconds longest);

/// For main(), while the application is still there: asks all work to stop, waits a moment for it, and returns `code`.
/// If some of it hangs, as a read of a dead disk may, the process ends here with that code: it would use what goes
/// down.
int end_jobs(int code);

}  // namespace convscope::ui
