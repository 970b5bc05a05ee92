/* A group copies its tile in, works on another item's element, and copies the tile out. */
kernel void async_tile(global const int* in, global int* out, local int* tile) {
  size_t size = get_local_size(0), first = get_group_id(0) * size, i = get_local_id(0);
  event_t in_event = async_work_group_copy(tile, in + first, size, 0);
  wait_group_events(1, &in_event);
  int value = tile[size - 1 - i] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[i] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t out_event = async_work_group_copy(out + first, tile, size, 0);
  wait_group_events(1, &out_event);
}

/* Strides, vectors, two copies of one event in a loop, and a hint. */
kernel void async_columns(global const float2* in, global float2* out, uint rows, local float2* column) {
  size_t columns = get_num_groups(0), c = get_group_id(0);
  for (uint row = 0; row < rows; row += 64) {
    uint count = min(64u, rows - row);
    prefetch(in + row * columns, 64);
    event_t event = async_work_group_strided_copy(column, in + row * columns + c, count, columns, 0);
    event = async_work_group_strided_copy(column + 64, in + row * columns + (c + 1) % columns, count, columns, event);
    wait_group_events(1, &event);
    for (uint i = get_local_id(0); i < count; i += get_local_size(0)) column[i] += column[64 + i].yx;
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_strided_copy(out + row * columns + c, column, count, columns, 0);
    wait_group_events(1, &event);
  }
}
