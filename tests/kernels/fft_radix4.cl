/* one pass of a Stockham FFT: p is 1, 4, 16 ... */
float2 product(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 turned(float2 v, float angle) {
  float c, s = sincos(angle, &c);
  return product(v, (float2)(c, s));
}
kernel void fft_radix4(global const float2* in, global float2* out, uint p) {
  uint quarter = get_global_size(0), i = get_global_id(0);
  uint k = i & (p - 1), j = ((i - k) << 2) + k;
  float angle = -M_PI_F * (float)k / (float)(2 * p);
  float2 a = in[i], b = turned(in[i + quarter], angle), c = turned(in[i + 2 * quarter], 2 * angle),
         d = turned(in[i + 3 * quarter], 3 * angle);
  float2 ac = a + c, a_c = a - c, bd = b + d, b_d = (float2)((b - d).y, (d - b).x);
  out[j] = ac + bd;
  out[j + p] = a_c + b_d;
  out[j + 2 * p] = ac - bd;
  out[j + 3 * p] = a_c - b_d;
}
