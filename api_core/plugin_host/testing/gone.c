/* A library that is there at build time and, as far as the plugin can see, not at run time. */
__attribute__((visibility("default"))) int zeroth_test_gone(void) { return 1; }
