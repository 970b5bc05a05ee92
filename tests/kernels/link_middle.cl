// Needs link_library.cl, and is needed by link_top.cl.
int triple(int x);
int helper(int x) { return x + 1; }
int ninefold(int x) { return triple(triple(x)); }
kernel void middle(global int* out) { out[0] = ninefold(helper(out[0])); }
