// Needs link_library.cl.
extern global int shared_counter;
int triple(int x);
kernel void use(global int* out) { out[0] = triple(shared_counter); }
