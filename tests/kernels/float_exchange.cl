/* A sum of floats as people wrote it before there was atomic_fetch_add of floats. */
kernel void float_exchange(global const float* in, global atomic_float* sum) {
  float value = in[get_global_id(0)], seen = atomic_load_explicit(sum, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(sum, &seen, seen + value, memory_order_relaxed, memory_order_relaxed,
                                                  memory_scope_device)) {}
}
