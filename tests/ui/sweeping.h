#pragma once
// What the tests of sweeps share: spaces of the made-up machine and of real ones, tables made up.

#include <memory>
#include <string>

#include "tests/ui/made_up_target.h"
#include "tests/ui/session.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/exploration/space_check.h"

namespace convscope::ui::test {

/// <machines target="made-up"> with what stands inside, on the speed sign network, cycles against lanes.
std::string made_up_space(const std::string& inside, const std::string& levels = "plain");
/// 4 x 3 machines of the NVE on the face detection network.
std::string nve_space();

/// Reads a space that must be accepted, with the workbench's targets.
std::shared_ptr<const explore::Space> space_of(const Workbench& workbench, const std::string& xml);

/// Starts and waits for the end; the table.
std::shared_ptr<const explore::SweepTable> sweep_and_wait(Workbench& workbench, const SweepPlan& plan);

/// Two machine columns, two objectives, any number of rows; every 1000th is on the front, every 7th can't be compared.
std::shared_ptr<const explore::SweepTable> made_up_table(std::size_t rows);

}  // namespace convscope::ui::test
