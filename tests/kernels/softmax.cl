/* one work-group per row: maximum, sum of exponentials, quotient */
kernel void softmax(global const float* in, global float* out, local float* tmp, uint columns) {
  uint lid = get_local_id(0), ls = get_local_size(0);
  global const float* row = in + get_group_id(0) * columns;
  global float* result = out + get_group_id(0) * columns;
  float top = -INFINITY;
  for (uint c = lid; c < columns; c += ls) top = fmax(top, row[c]);
  tmp[lid] = top;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint o = ls / 2; o > 0; o >>= 1) {
    if (lid < o) tmp[lid] = fmax(tmp[lid], tmp[lid + o]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  top = tmp[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (uint c = lid; c < columns; c += ls) {
    float e = exp(row[c] - top);
    result[c] = e;
    sum += e;
  }
  tmp[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint o = ls / 2; o > 0; o >>= 1) {
    if (lid < o) tmp[lid] += tmp[lid + o];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float scale = 1.0f / tmp[0];
  for (uint c = lid; c < columns; c += ls) result[c] *= scale;
}
