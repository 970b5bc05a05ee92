// One of many kernels: a grid-stride loop with a branch and some arithmetic, different constants in each.
#define KERNEL(n)                                                                                                  \
  kernel void kernel_##n(global float* a, global const float* b, global const int* c, uint count, float s) {       \
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {                                          \
      float v = b[i] * s + (float)(n);                                                                             \
      int k = c[i];                                                                                                \
      if (k > n % 7) {                                                                                             \
        v = v * v - a[i];                                                                                          \
      } else if (k < -(n % 5)) {                                                                                   \
        v = fabs(v) + (float)(k * (n + 1));                                                                        \
      }                                                                                                            \
      a[i] = fma(v, s, a[i] * (float)(n % 11));                                                                    \
    }                                                                                                              \
  }
