// What link_user.cl imports.
global int shared_counter = 40;
int triple(int x) { return 3 * x; }
kernel void bump(int by) { shared_counter += by; }
