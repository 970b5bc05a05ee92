// clang leaves the query to a library.
kernel void image_order(read_only image2d_t image, global int* out) { out[0] = get_image_channel_order(image); }
