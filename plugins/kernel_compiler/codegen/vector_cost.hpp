// What widening would make of a kernel body, estimated before it is done: the choice of W rests on it.
#pragma once

#include "vectorize/divergence.hpp"

namespace zeroth::codegen {

struct VectorCost {
  uint64_t operations = 0;                     // machine instructions for one part
  uint64_t scalarised = 0;                     // … of them in work done one work-item at a time
  uint64_t gathers = 0;                        // accesses of memory at addresses of any pattern
  uint64_t wide_values = 0, narrow_values = 0; // differing between work-items, of 64 bits and of fewer
  unsigned masks = 0;                          // that the loop with most branches of work-items apart keeps for one part
  bool is_scattered = false;                   // see works_in_scattered_loops
  bool waits = false;                          // see waits_for_the_slowest
};

// Is the work done in innermost loops that each work-item leaves when its own data ends, and that do little else than
// access memory at places of its own: rows of sparse matrices, edges of graphs, triangles? Vectors go on until the
// longest row ends, and gathers are no faster than the loads they stand for. Or do they, within loops of the same kind,
// little else than part again and again? Each branch costs a vector all of its ways, one after the other.
bool works_in_scattered_loops(const FunctionLayout& layout, const Divergence& divergence);

// Are there loops that work-items leave when their own data says so? Each vector more is one more that may be the last.
bool waits_for_the_slowest(const FunctionLayout& layout, const Divergence& divergence);

VectorCost estimate_cost(const FunctionLayout& layout, const Divergence& divergence, unsigned lanes,
                         unsigned vector_bits);

} // namespace zeroth::codegen
