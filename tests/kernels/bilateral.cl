/* 5x5 bilateral filter, edges clamped */
kernel void bilateral(global const float* in, global float* out, int w, int h, float space, float range) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float centre = in[y * w + x], sum = 0.0f, weights = 0.0f;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      float v = in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
      float d = v - centre;
      float weight = exp(-(float)(dx * dx + dy * dy) * space - d * d * range);
      sum += weight * v;
      weights += weight;
    }
  out[y * w + x] = sum / weights;
}
