/* double-precision Cholesky factors of many 32x32 tiles: a tile per group, a row per work-item */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define N 32
kernel __attribute__((reqd_work_group_size(N, 1, 1)))
void cholesky(global const double* in, global double* out) {
  local double a[N][N + 1];
  int row = get_local_id(0);
  size_t tile = get_group_id(0) * (size_t)(N * N);
  for (int c = 0; c < N; ++c) a[c][row] = in[tile + c * N + row];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < N; ++k) {
    double pivot = sqrt(a[k][k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row == k) a[k][k] = pivot;
    if (row > k) a[row][k] /= pivot;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row > k) {
      double factor = a[row][k];
      for (int c = k + 1; c <= row; ++c) a[row][c] -= factor * a[c][k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int r = 0; r < N; ++r) out[tile + r * N + row] = row <= r ? a[r][row] : 0.0;
}
