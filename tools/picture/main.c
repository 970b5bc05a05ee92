/* zeroth-demo [picture.png] [--kernels FOLDER] [--output FOLDER] [--size WIDTHxHEIGHT]
 *
 * A plain Level Zero program: renders the Mandelbrot set on the first device, finds the edges in it (or in the picture
 * given), checks both against scalar C and writes mandelbrot.png and edges.png. Status 1 on any difference. */
#include "compute.h"
#include "picture.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Rounds = 5, GroupWidth = 64 };

typedef struct {
  const char* picture; /* NULL: the rendered one */
  char kernels[4096];
  const char* output;
  uint32_t width, height;
} options_t;

/* <folder of this program>/../kernels/demo, where the build puts them. */
static void default_kernels(char* folder, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", folder, size - 32);
  folder[length > 0 ? length : 0] = '\0';
  char* slash = strrchr(folder, '/');
  strcpy(slash ? slash : folder, "/../kernels/demo");
}

static int parse_options(int argc, char** argv, options_t* options) {
  for (int i = 1; i < argc; ++i) {
    const char* value = i + 1 < argc ? argv[i + 1] : NULL;
    if (argv[i][0] != '-') {
      options->picture = argv[i];
    } else if (value && strcmp(argv[i], "--kernels") == 0) {
      snprintf(options->kernels, sizeof options->kernels, "%s", argv[++i]);
    } else if (value && strcmp(argv[i], "--output") == 0) {
      options->output = argv[++i];
    } else if (value && strcmp(argv[i], "--size") == 0) {
      if (sscanf(argv[++i], "%ux%u", &options->width, &options->height) != 2) return -1;
    } else {
      return -1;
    }
  }
  return options->width < GroupWidth || options->height < 3 || options->width % GroupWidth ? -1 : 0;
}

static int report(const char* name, const picture_t* size, double build, double device, double scalar, uint64_t wrong) {
  const double pixels = (double)size->width * size->height;
  printf("%-11s %5u x %-5u %8.1f %10.3f %10.1f %9.1fx  ", name, size->width, size->height, 1e3 * build, 1e3 * device,
         1e-6 * pixels / device, scalar / device);
  if (wrong) {
    printf("%llu pixels differ\n", (unsigned long long)wrong);
  } else {
    printf("equal\n");
  }
  return wrong != 0;
}

static int save(const options_t* options, const char* name, const picture_t* picture) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", options->output, name);
  if (picture_write(path, picture) != 0) return 1;
  printf("Wrote %s\n", path);
  return 0;
}

static int render(const compute_t* compute, const options_t* options, picture_t* picture) {
  const view_t view = {-2.2f, -1.2f, 3.2f / (float)picture->width, 2.4f / (float)picture->height, 256};
  const size_t pixels = (size_t)picture->width * picture->height;
  uint32_t* iterations = compute_alloc(compute, pixels * sizeof *iterations);
  uint32_t* expected = malloc(pixels * sizeof *expected);
  compute_kernel_t kernel = compute_kernel_load(compute, options->kernels, "mandelbrot");
  compute_kernel_argument(&kernel, 0, sizeof iterations, &iterations);
  compute_kernel_argument(&kernel, 1, sizeof view.x0, &view.x0);
  compute_kernel_argument(&kernel, 2, sizeof view.y0, &view.y0);
  compute_kernel_argument(&kernel, 3, sizeof view.dx, &view.dx);
  compute_kernel_argument(&kernel, 4, sizeof view.dy, &view.dy);
  compute_kernel_argument(&kernel, 5, sizeof view.limit, &view.limit);
  const double device = compute_run(compute, &kernel, picture->width, picture->height, GroupWidth, Rounds);
  const double start = now_seconds();
  reference_mandelbrot(expected, picture->width, picture->height, &view);
  const double scalar = now_seconds() - start;
  const int wrong = report("mandelbrot", picture, kernel.build_seconds, device, scalar,
                           count_different(iterations, expected, pixels));
  picture_from_iterations(picture, iterations, view.limit);
  compute_kernel_free(&kernel);
  free(expected);
  compute_free(compute, iterations);
  return wrong;
}

static int find_edges(const compute_t* compute, const options_t* options, picture_t* picture) {
  const size_t pixels = (size_t)picture->width * picture->height;
  const int width = (int)picture->width, height = (int)picture->height;
  float* grey = compute_alloc(compute, pixels * sizeof *grey);
  float* edges = compute_alloc(compute, pixels * sizeof *edges);
  float* expected = calloc(pixels, sizeof *expected);
  picture_brightness(picture, grey);
  compute_zero(compute, edges, pixels * sizeof *edges);
  compute_kernel_t kernel = compute_kernel_load(compute, options->kernels, "sobelb");
  compute_kernel_argument(&kernel, 0, sizeof grey, &grey);
  compute_kernel_argument(&kernel, 1, sizeof edges, &edges);
  compute_kernel_argument(&kernel, 2, sizeof width, &width);
  compute_kernel_argument(&kernel, 3, sizeof height, &height);
  const double device = compute_run(compute, &kernel, picture->width, picture->height, GroupWidth, Rounds);
  const double start = now_seconds();
  reference_edges(grey, expected, width, height);
  const double scalar = now_seconds() - start;
  const int wrong =
      report("edges", picture, kernel.build_seconds, device, scalar, count_apart(edges, expected, pixels, 1e-5f));
  picture_from_edges(picture, edges);
  compute_kernel_free(&kernel);
  free(expected);
  compute_free(compute, edges);
  compute_free(compute, grey);
  return wrong;
}

static int run(const compute_t* compute, const options_t* options, picture_t* rendered, picture_t* given) {
  printf("\n%-11s %13s %8s %10s %10s %10s  %s\n", "kernel", "pixels", "build ms", "time ms", "Mpixel/s", "vs scalar",
         "check");
  int failed = render(compute, options, rendered);
  failed |= save(options, "mandelbrot.png", rendered);
  picture_t* source = options->picture ? given : rendered;
  failed |= find_edges(compute, options, source);
  failed |= save(options, "edges.png", source);
  return failed;
}

static void usage(FILE* where, const char* program) {
  fprintf(where, "usage: %s [picture.png] [--kernels FOLDER] [--output FOLDER] [--size WIDTHxHEIGHT]\n", program);
  fprintf(where, "WIDTH must be a multiple of %d.\n", GroupWidth);
}

int main(int argc, char** argv) {
  options_t options = {.output = ".", .width = 2048, .height = 1536};
  picture_t rendered = {0}, given = {0};
  compute_t compute = {0};
  default_kernels(options.kernels, sizeof options.kernels);
  if (argc == 2 && strcmp(argv[1], "--help") == 0) return usage(stdout, argv[0]), 0;
  if (parse_options(argc, argv, &options) != 0) {
    usage(stderr, argv[0]);
    return 2;
  }
  if (options.picture && picture_read(options.picture, &given) != 0) return 1;
  if (picture_create(options.width, options.height, &rendered) != 0) return 1;
  compute_open(&compute);
  compute_describe(&compute);
  const int failed = run(&compute, &options, &rendered, &given);
  compute_close(&compute);
  picture_free(&rendered);
  picture_free(&given);
  return failed;
}
