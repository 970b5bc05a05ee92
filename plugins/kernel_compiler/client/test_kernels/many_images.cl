// Eight kernels with images: each is compiled when it is asked for. They share a table.
static constant int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
#define KERNEL(n)                                                                                                     \
  kernel void image##n(read_only image2d_t from, write_only image2d_t to, sampler_t sampler, global const float2* at, \
                       global float4* out) {                                                                          \
    size_t i = get_global_id(0);                                                                                      \
    out[2 * i] = read_imagef(from, sampler, at[i]) * (n + 1);                                                         \
    out[2 * i + 1] = read_imagef(from, (int2)(i % 16, table[i % 8]));                                                 \
    write_imagef(to, (int2)(i % 15, i / 15), out[2 * i + 1]);                                                         \
  }
KERNEL(0) KERNEL(1) KERNEL(2) KERNEL(3) KERNEL(4) KERNEL(5) KERNEL(6) KERNEL(7)
