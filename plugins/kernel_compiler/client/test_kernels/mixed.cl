// Eight kernels, so that each is compiled when it is asked for: printf, images, a literal sampler and a table that all
// of them share.
static constant int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

#define PRINT(n)                                                                                                      \
  kernel void print##n(global const int* in) {                                                                        \
    size_t i = get_global_id(0);                                                                                      \
    printf("kernel %d: %s %d\n", n, n % 2 ? "odd" : "even", in[i] + table[i % 8]);                                    \
  }
PRINT(0) PRINT(1) PRINT(2) PRINT(3)

#define IMAGE(n)                                                                                                      \
  kernel void image##n(read_only image2d_t from, write_only image2d_t to, sampler_t sampler, global const float2* at, \
                       global float4* out) {                                                                          \
    size_t i = get_global_id(0);                                                                                      \
    out[2 * i] = read_imagef(from, sampler, at[i]) * (n + 1);                                                         \
    out[2 * i + 1] = read_imagef(from, nearest, (int2)(i % 16, table[i % 8]));                                        \
    write_imagef(to, (int2)(i % 15, i / 15), out[2 * i + 1]);                                                         \
  }
IMAGE(0) IMAGE(1) IMAGE(2) IMAGE(3)
