int helper(int x);
kernel void user(global int* out) { out[get_global_id(0)] = helper((int)get_global_id(0)); }
