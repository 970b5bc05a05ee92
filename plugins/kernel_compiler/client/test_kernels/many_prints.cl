// Eight kernels that print: each is compiled when it is asked for. They share a table.
static constant int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
#define KERNEL(n)                                                                                                     \
  kernel void print##n(global const int* in) {                                                                        \
    size_t i = get_global_id(0);                                                                                      \
    printf("kernel " #n ": %s %d\n", "text", in[i] + table[i % 8]);                                                   \
  }
KERNEL(0) KERNEL(1) KERNEL(2) KERNEL(3) KERNEL(4) KERNEL(5) KERNEL(6) KERNEL(7)
