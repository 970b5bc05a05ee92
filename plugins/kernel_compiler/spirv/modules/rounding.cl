// Conversions in every rounding mode, one value per work-item.
kernel void rounding(global const long* integers, global const double* doubles, global float* floats, global double* wide, global int* ints) {
  size_t i = get_global_id(0);
  long n = integers[i];
  double d = doubles[i];
  global float* f = floats + 12 * i;
  f[0] = convert_float_rte(n);
  f[1] = convert_float_rtz(n);
  f[2] = convert_float_rtp(n);
  f[3] = convert_float_rtn(n);
  f[4] = convert_float_rte(d);
  f[5] = convert_float_rtz(d);
  f[6] = convert_float_rtp(d);
  f[7] = convert_float_rtn(d);
  f[8] = convert_float_rte((int)n);
  f[9] = convert_float_rtz((int)n);
  f[10] = convert_float_rtp((uint)n);
  f[11] = convert_float_rtn((int)n);
  global double* w = wide + 4 * i;
  w[0] = convert_double_rte(n);
  w[1] = convert_double_rtz(n);
  w[2] = convert_double_rtp((ulong)n);
  w[3] = convert_double_rtn(n);
  ints[i] = convert_int_sat_rte(d);
}
