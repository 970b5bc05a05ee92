// Needs link_middle.cl, and has a helper of its own.
int ninefold(int x);
int helper(int x) { return x + 1000; }
kernel void top(global int* out) { out[0] = ninefold(out[0]) + helper(0); }
