/* lattice Boltzmann, nine directions, one step of pulling and colliding on a torus; f[direction][y][x] */
kernel void lbm_d2q9(global const float* restrict f, global float* restrict next, int w, int h, float omega) {
  const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weight[9] = {4 / 9.0f,  1 / 9.0f,  1 / 9.0f,  1 / 9.0f, 1 / 9.0f,
                           1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
  int x = get_global_id(0), y = get_global_id(1), n = w * h;
  float v[9], rho = 0.0f, ux = 0.0f, uy = 0.0f;
  for (int i = 0; i < 9; ++i) {
    int fx = x - ex[i], fy = y - ey[i];
    fx = fx < 0 ? w - 1 : fx == w ? 0 : fx;
    fy = fy < 0 ? h - 1 : fy == h ? 0 : fy;
    v[i] = f[i * n + fy * w + fx];
    rho += v[i];
    ux += ex[i] * v[i];
    uy += ey[i] * v[i];
  }
  ux /= rho;
  uy /= rho;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int i = 0; i < 9; ++i) {
    float eu = 3.0f * (ex[i] * ux + ey[i] * uy);
    float equal = weight[i] * rho * (1.0f + eu + 0.5f * eu * eu - square);
    next[i * n + y * w + x] = v[i] + omega * (equal - v[i]);
  }
}
