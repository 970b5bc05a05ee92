kernel void empty(void) {}
