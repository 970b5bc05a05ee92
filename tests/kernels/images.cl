// Every way in which a kernel meets an image; tests/device/image_*_test.cpp.
#define SAMPLE(D, IMAGE, PLACE, INT_PLACE)                                                                             \
  kernel void sample_##D##_f(read_only IMAGE image, sampler_t sampler, global const float4* at, global float4* out) {  \
    size_t i = get_global_id(0);                                                                                       \
    float4 p = at[i];                                                                                                  \
    out[i] = read_imagef(image, sampler, PLACE);                                                                       \
  }                                                                                                                    \
  kernel void sample_##D##_i(read_only IMAGE image, sampler_t sampler, global const float4* at, global int4* out) {    \
    size_t i = get_global_id(0);                                                                                       \
    float4 p = at[i];                                                                                                  \
    out[i] = read_imagei(image, sampler, PLACE);                                                                       \
  }                                                                                                                    \
  kernel void fetch_##D##_f(read_only IMAGE image, sampler_t sampler, global const int4* at, global float4* out) {     \
    size_t i = get_global_id(0);                                                                                       \
    int4 p = at[i];                                                                                                    \
    out[i] = read_imagef(image, sampler, INT_PLACE);                                                                   \
  }                                                                                                                    \
  kernel void read_##D##_f(read_only IMAGE image, global const int4* at, global float4* out) {                         \
    size_t i = get_global_id(0);                                                                                       \
    int4 p = at[i];                                                                                                    \
    out[i] = read_imagef(image, INT_PLACE);                                                                            \
  }                                                                                                                    \
  kernel void read_##D##_i(read_only IMAGE image, global const int4* at, global uint4* out) {                          \
    size_t i = get_global_id(0);                                                                                       \
    int4 p = at[i];                                                                                                    \
    out[i] = read_imageui(image, INT_PLACE);                                                                           \
  }                                                                                                                    \
  kernel void write_##D##_f(write_only IMAGE image, global const int4* at, global const float4* texels) {              \
    size_t i = get_global_id(0);                                                                                       \
    int4 p = at[i];                                                                                                    \
    write_imagef(image, INT_PLACE, texels[i]);                                                                         \
  }                                                                                                                    \
  kernel void write_##D##_i(write_only IMAGE image, global const int4* at, global const int4* texels) {                \
    size_t i = get_global_id(0);                                                                                       \
    int4 p = at[i];                                                                                                    \
    write_imagei(image, INT_PLACE, texels[i]);                                                                         \
  }

SAMPLE(1d, image1d_t, p.x, p.x)
SAMPLE(1d_array, image1d_array_t, p.xy, p.xy)
SAMPLE(2d, image2d_t, p.xy, p.xy)
SAMPLE(2d_array, image2d_array_t, p, p)
SAMPLE(3d, image3d_t, p, p)

kernel void read_buffer_f(read_only image1d_buffer_t image, global const int4* at, global float4* out) {
  size_t i = get_global_id(0);
  out[i] = read_imagef(image, at[i].x);
}
kernel void read_buffer_i(read_only image1d_buffer_t image, global const int4* at, global uint4* out) {
  size_t i = get_global_id(0);
  out[i] = read_imageui(image, at[i].x);
}
kernel void write_buffer_f(write_only image1d_buffer_t image, global const int4* at, global const float4* texels) {
  size_t i = get_global_id(0);
  write_imagef(image, at[i].x, texels[i]);
}

// Samplers that are part of the program.
constant sampler_t of_the_program = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
kernel void literal_samplers(read_only image2d_t image, global const float4* at, global float4* out) {
  size_t i = get_global_id(0), n = get_global_size(0);
  const sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  out[i] = read_imagef(image, of_the_program, at[i].xy);
  out[n + i] = read_imagef(image, own, at[i].xy * 8);
  out[2 * n + i] = read_imagef(image, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR, at[i].xy);
}

// Each work-item adds to its own texel, over all texels, and sees what it wrote.
kernel void add_one(read_write image2d_t image, int rounds) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  for (int i = 0; i < rounds; ++i) {
    write_imagef(image, p, read_imagef(image, p) + 1.0f);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  }
}

kernel void ask(read_only image1d_array_t lines, read_only image2d_t plane, read_only image2d_array_t planes,
                read_only image3d_t space, global int* out) {
  out[0] = get_image_width(lines);
  out[1] = (int)get_image_array_size(lines);
  out[2] = get_image_width(plane);
  out[3] = get_image_height(plane);
  out[4] = get_image_dim(plane).y;
  out[5] = get_image_width(planes);
  out[6] = get_image_height(planes);
  out[7] = (int)get_image_array_size(planes);
  out[8] = get_image_width(space);
  out[9] = get_image_height(space);
  out[10] = get_image_depth(space);
  out[11] = get_image_channel_data_type(plane);
}

// One pixel a work-item, as image programs do it.
kernel void enlarge(read_only image2d_t from, write_only image2d_t to, sampler_t sampler) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 size = (float2)(get_global_size(0), get_global_size(1));
  write_imagef(to, p, read_imagef(from, sampler, (convert_float2(p) + 0.5f) / size));
}
kernel void turn(read_only image2d_t from, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, p.yx, read_imagef(from, p));
}
