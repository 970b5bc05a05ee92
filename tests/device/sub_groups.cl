#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define WITH(SIZE) __attribute__((intel_reqd_sub_group_size(SIZE)))

// A local copy of the input, added up in sub-groups; the first work-item of each stores its part, one adds the parts.
WITH(32) kernel void sums(global const uint* in, global uint* out) {
  local uint copy[32], parts[32];
  uint id = get_local_id(0);
  copy[id] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = sub_group_reduce_add(copy[id]);
  if (get_sub_group_local_id() == 0) parts[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    uint all = 0;
    for (uint i = 0; i < get_num_sub_groups(); ++i) all += parts[i];
    out[get_group_id(0)] = all;
  }
}

// What the device knows of its sub-groups, and a reduction and a scan that depend on it.
#define QUERIES(SIZE)                                                                                                  \
  WITH(SIZE) kernel void queries##SIZE(global uint8* out) {                                                            \
    uint id = get_local_id(0);                                                                                         \
    out[get_global_id(0)] = (uint8)(get_max_sub_group_size(), get_sub_group_size(), get_num_sub_groups(),              \
                                    get_sub_group_id(), get_sub_group_local_id(), sub_group_reduce_add(id),            \
                                    sub_group_scan_inclusive_add(id), sub_group_broadcast(id, 0));                     \
  }
QUERIES(1)
QUERIES(2)
QUERIES(4)
QUERIES(8)
QUERIES(16)
QUERIES(32)
QUERIES(64)
