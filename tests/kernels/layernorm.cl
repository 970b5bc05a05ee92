/* one work-group per row: mean and variance in one pass, then gamma * (x - mean) / deviation + beta */
kernel void layernorm(global const float* in, global float* out, global const float* gamma, global const float* beta,
                      uint columns, float epsilon) {
  uint lid = get_local_id(0), ls = get_local_size(0);
  size_t start = get_group_id(0) * (size_t)columns;
  float sum = 0.0f, squares = 0.0f;
  for (uint c = lid; c < columns; c += ls) {
    float v = in[start + c];
    sum += v;
    squares += v * v;
  }
  sum = work_group_reduce_add(sum);
  squares = work_group_reduce_add(squares);
  float mean = sum / columns;
  float scale = rsqrt(squares / columns - mean * mean + epsilon);
  for (uint c = lid; c < columns; c += ls) out[start + c] = (in[start + c] - mean) * scale * gamma[c] + beta[c];
}
