#include "reference.h"

#include <math.h>

void reference_mandelbrot(uint32_t* out, uint32_t width, uint32_t height, const view_t* view) {
  for (uint32_t py = 0; py < height; ++py) {
    for (uint32_t px = 0; px < width; ++px) {
      const float cx = view->x0 + (float)px * view->dx, cy = view->y0 + (float)py * view->dy;
      float x = 0, y = 0;
      uint32_t it = 0;
      for (; it < view->limit; ++it) {
        const float x2 = x * x, y2 = y * y;
        if (x2 + y2 > 4.0f) break;
        y = 2.0f * x * y + cy;
        x = x2 - y2 + cx;
      }
      out[(uint64_t)py * width + px] = it;
    }
  }
}

void reference_edges(const float* in, float* out, int width, int height) {
  for (int y = 1; y < height - 1; ++y) {
    for (int x = 1; x < width - 1; ++x) {
      const float* up = in + (int64_t)(y - 1) * width + x;
      const float *here = up + width, *down = here + width;
      const float gx = up[1] + 2 * here[1] + down[1] - up[-1] - 2 * here[-1] - down[-1];
      const float gy = down[-1] + 2 * down[0] + down[1] - up[-1] - 2 * up[0] - up[1];
      out[(int64_t)y * width + x] = sqrtf(gx * gx + gy * gy);
    }
  }
}

uint64_t count_different(const uint32_t* a, const uint32_t* b, uint64_t count) {
  uint64_t different = 0;
  for (uint64_t i = 0; i < count; ++i) different += a[i] != b[i];
  return different;
}

uint64_t count_apart(const float* a, const float* b, uint64_t count, float relative) {
  uint64_t apart = 0;
  for (uint64_t i = 0; i < count; ++i) apart += !(fabsf(a[i] - b[i]) <= relative * fabsf(b[i]) + 1e-6f);
  return apart;
}
