// More private memory than fits a stack, by the kernel's name in KiB a work-item: a value from a place that is computed.
#define PRIVATE_ARRAY(KIB)                                                                                             \
  kernel void private_##KIB(global int* out, int n) {                                                                  \
    int values[KIB * 256];                                                                                             \
    const int item = (int)get_global_id(0);                                                                            \
    for (int i = 0; i < KIB * 256; ++i) values[i] = i * n + item;                                                      \
    int sum = 0;                                                                                                       \
    for (int i = 0; i < 100; ++i) {                                                                                    \
      const int at = (int)((i * 7919u + (uint)(n + item)) % (KIB * 256));                                              \
      sum += values[at];                                                                                               \
      values[(at * 31u + (uint)n) % (KIB * 256)] = sum;                                                                \
    }                                                                                                                  \
    out[item] = sum + values[n % (KIB * 256)];                                                                         \
  }
PRIVATE_ARRAY(4)
PRIVATE_ARRAY(64)
PRIVATE_ARRAY(1024)
