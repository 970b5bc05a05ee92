// What can be printed, by number.
kernel void prints(uint what, uint lines) {
  const uint item = (uint)get_global_id(0);
  const float16 vector = (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  switch (what) {
  case 0: printf(""); break;
  case 1: printf("[%s]\n", ""); break;
  case 2: printf("%v16f\n", vector); break;
  case 3: printf("%%\n"); break;
  case 4:
    for (uint i = 0; i < lines; ++i) printf("item %u line %u\n", item, i);
    break;
  case 5: printf("%03000u|\n", item); break;
  }
}
