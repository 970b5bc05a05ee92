#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void library(global int* a, global uint* u, global float* f, global long* l, local int* s, global float4* v4, global char* c8, global atomic_int* ai, global atomic_float* af, global float16* v16, global short* sh, global int* ip) {
  size_t i = get_global_id(0);
  a[i] = atomic_add(a, 1) + atomic_sub(a, 2) + atomic_inc(a) + atomic_dec(a) + atomic_xchg(a, 3) + atomic_cmpxchg(a, 1, 2) + atomic_min(a, 4) + atomic_max(a, 4) + atomic_and(a, 1) + atomic_or(a, 2) + atomic_xor(a, 4);
  u[i] = atomic_add(u, 1) + atomic_min(u, 4) + atomic_max(u, 4) + atomic_inc(u);
  f[i] = atomic_xchg(f, 1.0f);
  s[i] = atomic_add(s, 1) + atomic_inc(s) + atomic_dec(s);
  l[i] = atom_add(l, 1) + atom_inc(l) + atom_min(l, 3L) + atom_cmpxchg(l, 1, 2);
  a[i] += atomic_fetch_add(ai, 1) + atomic_load(ai) + atomic_fetch_min_explicit(ai, 3, memory_order_relaxed, memory_scope_device) + atomic_exchange(ai, 3);
  atomic_store(ai, 5); atomic_init(ai, 3);
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
  mem_fence(CLK_LOCAL_MEM_FENCE); read_mem_fence(CLK_GLOBAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE);
  a[i] += get_work_dim() + get_enqueued_local_size(1) + get_global_linear_id() + get_local_linear_id() + get_num_groups(i) + get_global_offset(1);
  a[i] += get_sub_group_size() + get_max_sub_group_size() + get_num_sub_groups() + get_enqueued_num_sub_groups() + get_sub_group_id() + get_sub_group_local_id();
  sub_group_barrier(CLK_LOCAL_MEM_FENCE); work_group_barrier(CLK_LOCAL_MEM_FENCE); work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
  a[i] += sub_group_all(a[i]) + sub_group_any(a[i]) + sub_group_broadcast(a[i], 0) + sub_group_reduce_add(a[i]) + sub_group_reduce_min(u[i]) + sub_group_scan_exclusive_max(a[i]);
  a[i] += work_group_all(a[i]) + work_group_any(a[i]) + work_group_broadcast(a[i], 0) + work_group_broadcast(a[i], 0, 1) + work_group_reduce_add(a[i]) + work_group_scan_exclusive_add(a[i]);
  event_t e = async_work_group_copy(s, a, 10, 0); wait_group_events(1, &e);
  e = async_work_group_strided_copy(s, a, 10, 2, 0); wait_group_events(1, &e);
  prefetch(a, 10);
  v4[i] = vload4(i, f) + convert_float4(v4[i] > 1.0f) + fma(v4[i], v4[i], v4[i]); vstore4(v4[i], i, f);
  vstore3(v4[i].xyz, i, f); f[i] = vload3(i, f).x;
  v4[i] += shuffle(v4[i], (uint4)(3,2,1,0)) + shuffle2(v4[i], v4[i], (uint4)(3,2,1,7));
  v4[i] += select(v4[i], v4[i], (int4)(1)); v4[i] += bitselect(v4[i], v4[i], v4[i]);
  f[i] = isnan(f[i]) + isinf(f[i]) + isfinite(f[i]) + isnormal(f[i]) + signbit(f[i]) + isordered(f[i], f[0]) + isunordered(f[i], f[0]) + islessgreater(f[i],f[0]) + isequal(f[i], f[0]) + any((int4)(a[i])) + all((int4)(a[i]));
  f[i] += dot(v4[i], v4[i]) + length(v4[i]) + distance(v4[i], v4[0]) + fast_length(v4[i]); v4[i] = normalize(v4[i]) + cross(v4[i], v4[0]);
  float x; int y; f[i] += sincos(f[i], &x) + modf(f[i], &x) + fract(f[i], &x) + frexp(f[i], &y) + lgamma_r(f[i], &y) + remquo(f[i], f[0], &y);
  f[i] += ldexp(f[i], 3) + pown(f[i], 3) + rootn(f[i], 3) + ilogb(f[i]) + nan(u[i]) + fdim(f[i], f[0]) + maxmag(f[i], f[0]) + native_sin(f[i]) + half_cos(f[i]) + mix(f[i], f[0], f[1]) + step(f[0], f[1]) + smoothstep(f[0], f[1], f[2]) + sign(f[0]) + clamp(f[0], f[1], f[2]) + degrees(f[0]) + exp10(f[0]);
  a[i] += mad_sat(a[0], a[1], a[2]) + mul_hi(a[0], a[1]) + mad_hi(a[0], a[1], a[2]) + rotate(a[0], a[1]) + hadd(a[0], a[1]) + rhadd(a[0], a[1]) + abs(a[0]) + abs_diff(a[0], a[1]) + clz(a[0]) + ctz(a[0]) + popcount(a[0]) + mul24(a[0], a[1]) + add_sat(a[0], a[1]) + sub_sat(a[0], a[1]) + max(a[0], a[1]) + upsample(sh[0], (ushort)sh[1]);
  c8[i] = convert_char_sat(f[i]) + convert_char_sat_rte(f[i]) + convert_uchar_sat(a[i]); a[i] += convert_int_rtp(f[i]); f[i] += convert_float_rtz(a[i]) + as_float(a[i]);
  printf("hello %d %f %s %v4f\n", a[i], f[i], "x", v4[i]);
  sh[i] = vload_half(i, (global half*)sh); vstore_half_rtz(f[i], i, (global half*)sh); vstorea_half3(v4[i].xyz, i, (global half*)sh); v4[i] = vloada_half4(i, (global half*)sh);
  ip[i] = (to_global((generic int*)a) != 0) + (to_local((int*)a) != 0) + get_fence((int*)a);
}
