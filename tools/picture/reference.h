/* The two kernels as plain scalar C, to check a device's results against. Built without contraction, like the kernels.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

typedef struct {
  float x0, y0, dx, dy;
  uint32_t limit; /* iterations after which a point counts as inside */
} view_t;

void reference_mandelbrot(uint32_t* out, uint32_t width, uint32_t height, const view_t* view);
/* The outermost pixels stay as they are. */
void reference_edges(const float* in, float* out, int width, int height);

/* How many values differ: exactly, and by more than `relative` of the value (plus 1e-6). */
uint64_t count_different(const uint32_t* a, const uint32_t* b, uint64_t count);
uint64_t count_apart(const float* a, const float* b, uint64_t count, float relative);

#endif
