/* sparse matrix (compressed rows) times vector, a row per work-item */
kernel void spmv_csr(global const uint* row_start, global const uint* columns, global const float* values,
                     global const float* x, global float* y, uint rows) {
  uint row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0.0f;
  for (uint i = row_start[row]; i < row_start[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}
