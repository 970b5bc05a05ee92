// Another link_library.cl.
int triple(int x) { return 333 * x; }
