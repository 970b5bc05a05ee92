/* edit distance of pairs of strings of equal length, a pair per group, along the diagonals */
#define N 128
kernel __attribute__((reqd_work_group_size(N, 1, 1)))
void levenshtein(global const uchar* a, global const uchar* b, global int* distance) {
  local int d[3][N + 1];
  local uchar text[N];
  int i = get_local_id(0), group = get_group_id(0);
  uchar mine = a[group * N + i];
  text[i] = b[group * N + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int value = 0;
  for (int s = 0; s < 2 * N - 1; ++s) { /* cell (i + 1, j + 1) with i + j = s */
    int j = s - i;
    local int *now = d[s % 3], *last = d[(s + 2) % 3], *before = d[(s + 1) % 3];
    if (j >= 0 && j < N) {
      int up = i == 0 ? j + 1 : last[i - 1];
      int left = j == 0 ? i + 1 : last[i];
      int corner = i == 0 ? j : j == 0 ? i : before[i - 1];
      value = min(min(up, left) + 1, corner + (mine != text[j]));
      now[i] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == N - 1) distance[group] = value;
}
