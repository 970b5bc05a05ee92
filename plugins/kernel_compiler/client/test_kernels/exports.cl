global int offset = 7;
int helper(int x) { return x * 3 + offset; }
