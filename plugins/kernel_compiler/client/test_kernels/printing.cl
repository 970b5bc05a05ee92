// One line per work-item, with every kind of conversion.
kernel void printing(global const int* in) {
  size_t i = get_global_id(0);
  printf("%d: %s %5.2f %v4d %%\n", in[i], "text", in[i] * 0.5f, (int4)(1, 2, 3, in[i]));
}
