#include "picture.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char* path, const png_image* image) {
  fprintf(stderr, "%s: %s\n", path, image->message);
  return -1;
}

int picture_create(uint32_t width, uint32_t height, picture_t* picture) {
  picture->width = width;
  picture->height = height;
  picture->rgb = calloc((size_t)width * height, 3);
  return picture->rgb ? 0 : -1;
}

void picture_free(picture_t* picture) {
  free(picture->rgb);
  picture->rgb = NULL;
}

int picture_read(const char* path, picture_t* picture) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path)) return fail(path, &image);
  image.format = PNG_FORMAT_RGB;
  const png_color white = {255, 255, 255};
  if (picture_create(image.width, image.height, picture) != 0) {
    png_image_free(&image);
    fprintf(stderr, "%s: no memory for %u x %u pixels\n", path, (unsigned)image.width, (unsigned)image.height);
    return -1;
  }
  if (png_image_finish_read(&image, &white, picture->rgb, 0, NULL)) return 0;
  picture_free(picture);
  return fail(path, &image);
}

int picture_write(const char* path, const picture_t* picture) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = picture->width;
  image.height = picture->height;
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  return png_image_write_to_file(&image, path, 0, picture->rgb, 0, NULL) ? 0 : fail(path, &image);
}

void picture_brightness(const picture_t* picture, float* grey) {
  const size_t pixels = (size_t)picture->width * picture->height;
  for (size_t i = 0; i < pixels; ++i) {
    const uint8_t* p = picture->rgb + 3 * i;
    grey[i] = (0.2126f * p[0] + 0.7152f * p[1] + 0.0722f * p[2]) / 255.0f;
  }
}

/* One period of a cosine palette: deep blue through white and gold to brown. */
static void colour(float t, uint8_t* rgb) {
  static const float phase[3] = {0.55f, 0.62f, 0.75f};
  for (int c = 0; c < 3; ++c) rgb[c] = (uint8_t)(255.0f * (0.5f + 0.5f * cosf(6.2831853f * (t + phase[c]))));
}

void picture_from_iterations(picture_t* picture, const uint32_t* iterations, uint32_t limit) {
  const size_t pixels = (size_t)picture->width * picture->height;
  for (size_t i = 0; i < pixels; ++i) {
    if (iterations[i] < limit) colour(sqrtf((float)iterations[i] / (float)limit), picture->rgb + 3 * i);
  }
}

void picture_from_edges(picture_t* picture, const float* edges) {
  const size_t pixels = (size_t)picture->width * picture->height;
  for (size_t i = 0; i < pixels; ++i) {
    const float strength = edges[i] > 1.0f ? 1.0f : edges[i];
    memset(picture->rgb + 3 * i, 255 - (int)(255.0f * strength), 3);
  }
}
