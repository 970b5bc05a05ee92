/* cycles that are entered at several places: goto between states of a machine, in two ways */
kernel void gotos(global int* out, int limit) {
  int i = get_global_id(0), r = i, steps = 0;
  if (i & 1) goto shrink;
grow:
  r += 3;
  if (++steps > limit) goto end;
  if (r % 5 == 0) goto shrink;
  if (r % 7 != 0) goto grow;
  goto mix;
shrink:
  r = r * 5 - 1;
  if (++steps > limit) goto end;
  if (!(r & 4)) goto grow;
mix:
  r ^= steps;
  if (++steps > limit) goto end;
  if (r & 2) goto grow;
  goto shrink;
end:
  out[i] = r * 100 + steps;
}
