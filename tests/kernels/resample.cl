/* one linear sample for each pixel, from between four texels */
kernel void resample(read_only image2d_t src, write_only image2d_t dst, sampler_t smp) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(dst, p, read_imagef(src, smp, convert_float2(p) * 0.75f + 0.3f));
}
