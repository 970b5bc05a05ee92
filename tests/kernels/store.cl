kernel void store(global uint* out) { out[get_global_id(0)] = 1; }
