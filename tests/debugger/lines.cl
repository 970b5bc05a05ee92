kernel void lines(global const float* in, global float* out, int rounds) {
  size_t i = get_global_id(0);
  float x = in[i];
  for (int k = 0; k < rounds; ++k)
    x = x * 0.5f + sin(x);
  out[i] = x;
}
