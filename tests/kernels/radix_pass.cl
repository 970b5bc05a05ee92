/* one pass of a radix sort: 256 keys a group sorted by 4 bits in local memory, then written to their digits' places */
#define N 256
kernel __attribute__((reqd_work_group_size(N, 1, 1)))
void radix_pass(global const uint* in, global uint* out, global const uint* offsets, uint shift) {
  local uint keys[N], scan[N], first[16];
  uint lid = get_local_id(0);
  uint key = in[get_global_id(0)];
  for (uint bit = shift; bit < shift + 4; ++bit) {
    uint one = key >> bit & 1;
    scan[lid] = 1 - one;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint o = 1; o < N; o <<= 1) {
      uint before = lid >= o ? scan[lid - o] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      scan[lid] += before;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    keys[one ? scan[N - 1] + lid - scan[lid] : scan[lid] - 1] = key;
    barrier(CLK_LOCAL_MEM_FENCE);
    key = keys[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  uint digit = key >> shift & 15;
  if (lid == 0 || (keys[lid - 1] >> shift & 15) != digit) first[digit] = lid;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[offsets[digit * get_num_groups(0) + get_group_id(0)] + lid - first[digit]] = key;
}
