// Sixteen kernels that share a function and a constant. An exported constant would have one address for all of them, and
// the module would stay whole.
static constant int one[] = {1};
int shared_part(int a, int b) { return a * b + one[0]; }
#define KERNEL(n)                                                                                                     \
  kernel void many##n(global int* out) { out[get_global_id(0)] = shared_part(n, (int)get_global_id(0)); }
KERNEL(0) KERNEL(1) KERNEL(2) KERNEL(3) KERNEL(4) KERNEL(5) KERNEL(6) KERNEL(7)
KERNEL(8) KERNEL(9) KERNEL(10) KERNEL(11) KERNEL(12) KERNEL(13) KERNEL(14) KERNEL(15)
