#pragma once
// Whether published figures count what a report counts, so that they can stand beside it.

#include <string>

#include "core/analysis/report.h"

namespace convscope::analysis {

/// Why a source's totals don't stand beside the report's: they are of several images, or of other operators' layers
/// than the report's total, which are those that are mapped and take time. Empty if they do.
std::string why_not_comparable(const PublishedSource& source, const Report& report);

/// Fills `published` of all layers, which have theirs already, from sources whose figures are of one image; and, of a
/// report of the whole network, that of the total, or why it isn't there, and the sums over the layers that a source
/// counts, where all of these are mapped.
void add_published(const PublishedTables& tables, bool whole_network, Report& report);

}  // namespace convscope::analysis
