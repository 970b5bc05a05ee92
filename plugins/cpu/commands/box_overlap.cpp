#include "box_overlap.hpp"

#include <algorithm>
#include <cstdint>

namespace zeroth::cpu {

namespace {

__extension__ typedef __int128 Wide; // pitches and extents of 32 bits each make products of more than 64

// Slices of rows of `bytes`, the first at `base`.
struct Rows {
  Wide base, bytes, count, pitch, slices, slice;
  Wide slice_bytes() const { return (count - 1) * pitch + bytes; }
  Wide all_bytes() const { return (slices - 1) * slice + slice_bytes(); }
};

struct Numbers { // first to last, none if last < first
  Wide first, last;
};

Wide floor_of(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

// The numbers n of [0, count) with low < n * step < high.
Numbers between(Wide low, Wide high, Wide step, Wide count) {
  if (step == 0) return low < 0 && 0 < high ? Numbers{0, 0} : Numbers{0, -1};
  return {std::max<Wide>(floor_of(low, step) + 1, 0), std::min<Wide>(floor_of(high - 1, step), count - 1)};
}

Numbers slices_at(const Rows& rows, Wide at, Wide bytes) {
  return between(at - rows.slice_bytes() - rows.base, at + bytes - rows.base, rows.slice, rows.slices);
}

Numbers rows_at(const Rows& rows, Wide slice, Wide at, Wide bytes) {
  const Wide base = rows.base + slice * rows.slice;
  return between(at - rows.bytes - base, at + bytes - base, rows.pitch, rows.count);
}

bool meets(const Rows& rows, Wide at, Wide bytes) {
  const Numbers slices = slices_at(rows, at, bytes);
  for (Wide z = slices.first; z <= slices.last; ++z)
    if (const Numbers found = rows_at(rows, z, at, bytes); found.first <= found.last) return true;
  return false;
}

// With the same pitches it depends on the distance alone: is it, to less than a row, one from row to row?
bool meets_shifted(const Rows& a, const Rows& b) {
  const Rows distances{-((a.slices - 1) * a.slice + (a.count - 1) * a.pitch),
                       a.bytes,
                       2 * a.count - 1,
                       a.pitch,
                       2 * a.slices - 1,
                       a.slice};
  return meets(distances, b.base - a.base, a.bytes);
}

bool meets_row_by_row(const Rows& a, const Rows& b) {
  const Numbers slices = slices_at(a, b.base, b.all_bytes());
  for (Wide z = slices.first; z <= slices.last; ++z) {
    const Numbers rows = rows_at(a, z, b.base, b.all_bytes());
    for (Wide y = rows.first; y <= rows.last; ++y)
      if (meets(b, a.base + z * a.slice + y * a.pitch, a.bytes)) return true;
  }
  return false;
}

Wide number(const std::byte* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
Wide number(std::size_t value) { return static_cast<Wide>(value); }

} // namespace

bool overlaps(const BoxCopy& box) {
  if (box.row_bytes == 0 || box.rows == 0 || box.slices == 0) return false;
  const Wide bytes = number(box.row_bytes), rows = number(box.rows), slices = number(box.slices);
  const Rows to{number(box.to), bytes, rows, number(box.to_pitch), slices, number(box.to_slice)};
  const Rows from{number(box.from), bytes, rows, number(box.from_pitch), slices, number(box.from_slice)};
  if (to.base + to.all_bytes() <= from.base || from.base + from.all_bytes() <= to.base) return false;
  const bool same = to.pitch == from.pitch && to.slice == from.slice;
  return same ? meets_shifted(to, from) : meets_row_by_row(to, from);
}

} // namespace zeroth::cpu
