kernel void probe(global uint* answer) { *answer = 42; }
