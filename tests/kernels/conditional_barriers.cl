// Many barriers in a row, each of which a group may pass or not: their regions must not multiply.
#define STEP(i)                              \
  if (flags >> i & 1) {                      \
    barrier(CLK_LOCAL_MEM_FENCE);            \
    int other = tile[(lid + i + 1) % count]; \
    barrier(CLK_LOCAL_MEM_FENCE);            \
    value = value * 3 + other;               \
    tile[lid] = value;                       \
  } else if (value & 1) {                    \
    value = value / 3 + i;                   \
  }

__kernel void conditional_barriers(__global int* data, uint flags) {
  __local int tile[64];
  int lid = get_local_id(0), count = get_local_size(0);
  int value = data[get_global_id(0)];
  tile[lid] = value;
  STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)
  STEP(12) STEP(13) STEP(14) STEP(15) STEP(16) STEP(17) STEP(18) STEP(19) STEP(20) STEP(21) STEP(22) STEP(23)
  data[get_global_id(0)] = value;
}
