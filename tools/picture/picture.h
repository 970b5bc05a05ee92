/* Pictures as plain arrays, in and out of PNG files. No threads; the caller frees what a reader returns. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdint.h>

typedef struct {
  uint32_t width, height;
  uint8_t* rgb; /* width * height * 3 bytes, rows from the top; owned, release with picture_free */
} picture_t;

/* Returns 0, or -1 after printing the cause to stderr. Any PNG kind is read as 8-bit RGB. */
int picture_read(const char* path, picture_t* picture);
int picture_write(const char* path, const picture_t* picture);
/* Zeroed pixels. Returns 0, or -1 when there is no memory. */
int picture_create(uint32_t width, uint32_t height, picture_t* picture);
void picture_free(picture_t* picture);

/* Brightness of each pixel, 0 to 1 (Rec. 709 weights). `grey` has width * height values. */
void picture_brightness(const picture_t* picture, float* grey);
/* Iteration counts as colours; `limit` (never escaped) is black. */
void picture_from_iterations(picture_t* picture, const uint32_t* iterations, uint32_t limit);
/* Edge strength as black on white. */
void picture_from_edges(picture_t* picture, const float* edges);

#endif
