// What a read with a sampler, a read without one and a write make of an image's texels.
kernel void images(read_only image2d_t from, write_only image2d_t to, sampler_t sampler, global const float2* at,
                   global float4* out) {
  size_t i = get_global_id(0);
  float4 sampled = read_imagef(from, sampler, at[i]);
  out[2 * i] = sampled;
  out[2 * i + 1] = read_imagef(from, (int2)(i % 16, i / 16));
  write_imagef(to, (int2)(i % 15, i / 15), sampled);
}
