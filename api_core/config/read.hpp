// Tree → Config. Internal to the config library.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "config/rules.hpp"

namespace zeroth {

// Puts what `root` says over what `config` holds. `folder` is what relative paths count from (empty: as written). The
// tree must have passed check_map. Profiles that match one of `program` apply at the end.
void apply_tree(Config& config, const Tree& root, const std::string& folder, const std::vector<std::string>& program);

// Fills in what follows from the rest (names, inherited report_as, overlays of each driver) and reports what does not
// fit together. Once, after all trees.
void resolve(Config& config, const Problems& problem);

// What the rules' tables cannot say about a single tree: keys that must be there.
void check_required(const Tree& root, const Problems& problem);

} // namespace zeroth
