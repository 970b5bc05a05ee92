// Groups that wait for each other, and perhaps for the host: each arrives at the counter and goes on when so many have.
kernel void rendezvous(global uint* arrived, uint expected) {
  if (get_local_id(0) != 0) return;
  volatile global atomic_uint* counter = (volatile global atomic_uint*)arrived;
  atomic_fetch_add_explicit(counter, 1, memory_order_acq_rel, memory_scope_device);
  while (atomic_load_explicit(counter, memory_order_acquire, memory_scope_device) < expected) {
  }
}
