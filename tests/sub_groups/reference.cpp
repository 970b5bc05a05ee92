#include "reference.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <span>

namespace zeroth::sub_groups {
namespace {

using Expected = std::optional<uint64_t>;

uint64_t mask_of(Type type) { return bytes_of(type) == 8 ? ~0ull : (1ull << bytes_of(type) * 8) - 1; }

double real(Type type, uint64_t bits) {
  return type == Type::F32 ? std::bit_cast<float>(uint32_t(bits)) : std::bit_cast<double>(bits);
}
uint64_t bits_of(Type type, double value) {
  return type == Type::F32 ? std::bit_cast<uint32_t>(float(value)) : std::bit_cast<uint64_t>(value);
}
int64_t signed_value(Type type, uint64_t bits) {
  const int unused = 64 - int(bytes_of(type)) * 8;
  return int64_t(bits << unused) >> unused;
}

// An associative operation with its instruction for non-uniform and for uniform use (0: none).
struct Operator {
  const char* name;
  uint16_t non_uniform, uniform;
  bool floats;
  uint64_t (*apply)(Type, uint64_t, uint64_t);
  uint64_t (*identity)(Type);
};

uint64_t zero(Type) { return 0; }
uint64_t one(Type t) { return is_float(t) ? bits_of(t, 1) : 1; }
uint64_t ones(Type t) { return mask_of(t); }
uint64_t least(Type t) { return 1ull << (bytes_of(t) * 8 - 1); }
uint64_t most(Type t) { return least(t) - 1; }
uint64_t infinity(Type t) { return bits_of(t, std::numeric_limits<double>::infinity()); }
uint64_t minus_infinity(Type t) { return bits_of(t, -std::numeric_limits<double>::infinity()); }

const Operator operators[] = {
    {"iadd", spv::OpGroupNonUniformIAdd, spv::OpGroupIAdd, false,
     [](Type t, uint64_t a, uint64_t b) { return (a + b) & mask_of(t); }, zero},
    {"imul", spv::OpGroupNonUniformIMul, spv::OpGroupIMulKHR, false,
     [](Type t, uint64_t a, uint64_t b) { return (a * b) & mask_of(t); }, one},
    {"smin", spv::OpGroupNonUniformSMin, spv::OpGroupSMin, false,
     [](Type t, uint64_t a, uint64_t b) { return signed_value(t, a) < signed_value(t, b) ? a : b; }, most},
    {"umin", spv::OpGroupNonUniformUMin, spv::OpGroupUMin, false,
     [](Type, uint64_t a, uint64_t b) { return std::min(a, b); }, ones},
    {"smax", spv::OpGroupNonUniformSMax, spv::OpGroupSMax, false,
     [](Type t, uint64_t a, uint64_t b) { return signed_value(t, a) > signed_value(t, b) ? a : b; }, least},
    {"umax", spv::OpGroupNonUniformUMax, spv::OpGroupUMax, false,
     [](Type, uint64_t a, uint64_t b) { return std::max(a, b); }, zero},
    {"and", spv::OpGroupNonUniformBitwiseAnd, spv::OpGroupBitwiseAndKHR, false,
     [](Type, uint64_t a, uint64_t b) { return a & b; }, ones},
    {"or", spv::OpGroupNonUniformBitwiseOr, spv::OpGroupBitwiseOrKHR, false,
     [](Type, uint64_t a, uint64_t b) { return a | b; }, zero},
    {"xor", spv::OpGroupNonUniformBitwiseXor, spv::OpGroupBitwiseXorKHR, false,
     [](Type, uint64_t a, uint64_t b) { return a ^ b; }, zero},
    {"fadd", spv::OpGroupNonUniformFAdd, spv::OpGroupFAdd, true,
     [](Type t, uint64_t a, uint64_t b) { return bits_of(t, real(t, a) + real(t, b)); }, zero},
    {"fmul", spv::OpGroupNonUniformFMul, spv::OpGroupFMulKHR, true,
     [](Type t, uint64_t a, uint64_t b) { return bits_of(t, real(t, a) * real(t, b)); }, one},
    {"fmin", spv::OpGroupNonUniformFMin, spv::OpGroupFMin, true,
     [](Type t, uint64_t a, uint64_t b) { return bits_of(t, std::fmin(real(t, a), real(t, b))); }, infinity},
    {"fmax", spv::OpGroupNonUniformFMax, spv::OpGroupFMax, true,
     [](Type t, uint64_t a, uint64_t b) { return bits_of(t, std::fmax(real(t, a), real(t, b))); }, minus_infinity},
};

// Over the active lanes of [begin, end).
uint64_t fold(const Operator& op, Type type, const Lanes& lanes, uint32_t begin, uint32_t end) {
  uint64_t result = op.identity(type);
  for (uint32_t i = begin; i < std::min(end, lanes.count()); ++i)
    if (lanes.active[i]) result = op.apply(type, result, lanes.values[i]);
  return result;
}

void add_operators(std::vector<Case>& cases, uint32_t size) {
  constexpr Type integers[] = {Type::U8, Type::U16, Type::U32, Type::U64}, floats[] = {Type::F32, Type::F64};
  struct Form {
    const char* name;
    spv::GroupOperation operation;
  };
  constexpr Form forms[] = {{"reduce", spv::GroupOperationReduce},
                            {"inclusive", spv::GroupOperationInclusiveScan},
                            {"exclusive", spv::GroupOperationExclusiveScan}};
  for (const Operator& op : operators)
    for (Type t : op.floats ? std::span<const Type>(floats) : std::span<const Type>(integers)) {
      const bool narrow = bytes_of(t) < 4, common = t == Type::U32 || t == Type::F32;
      if (narrow && op.apply != operators[0].apply && op.apply != operators[2].apply) continue; // iadd and smin
      const std::string suffix = std::string("_") + op.name + "_" + std::to_string(int(t));
      for (const Form& form : forms) {
        const auto expected = [&op, t, form](const Lanes& lanes, uint32_t lane) -> Expected {
          const uint32_t end = form.operation == spv::GroupOperationReduce          ? lanes.count()
                               : form.operation == spv::GroupOperationInclusiveScan ? lane + 1
                                                                                    : lane;
          return fold(op, t, lanes, 0, end);
        };
        const auto emit = [t, form](uint16_t opcode) {
          return [=](KernelWriter& k) {
            return k.value(opcode, k.type(t), {k.scope(), uint32_t(form.operation), k.x});
          };
        };
        cases.push_back({form.name + suffix, t, false, emit(op.non_uniform), expected});
        if (common)
          cases.push_back({std::string("uniform_") + form.name + suffix, t, true, emit(op.uniform), expected});
      }
      for (uint32_t cluster = 1; common && cluster <= size; cluster *= 4) {
        cases.push_back({"clustered" + std::to_string(cluster) + suffix, t, false,
                         [&op, t, cluster](KernelWriter& k) {
                           return k.value(op.non_uniform, k.type(t),
                                          {k.scope(), spv::GroupOperationClusteredReduce, k.x, k.constant(cluster)});
                         },
                         [&op, t, cluster](const Lanes& lanes, uint32_t lane) -> Expected {
                           const uint32_t begin = lane / cluster * cluster;
                           return fold(op, t, lanes, begin, begin + cluster);
                         }});
      }
    }
}

// ---- exchanges -----------------------------------------------------------------------------------------------------

Expected of_lane(const Lanes& lanes, int64_t from) {
  if (from < 0 || from >= int64_t(lanes.count()) || !lanes.active[size_t(from)]) return std::nullopt;
  return lanes.values[size_t(from)];
}

uint32_t first_active(const Lanes& lanes) {
  return uint32_t(std::find(lanes.active.begin(), lanes.active.end(), true) - lanes.active.begin());
}

void add_exchanges(std::vector<Case>& cases, uint32_t size) {
  for (Type t : {Type::U8, Type::U16, Type::U32, Type::U64, Type::F32, Type::F64}) {
    const std::string suffix = "_" + std::to_string(int(t));
    const auto add = [&](const std::string& name, uint16_t opcode, std::function<Words(KernelWriter&)> operands,
                         std::function<Expected(const Lanes&, uint32_t)> expected, bool needs_all = false) {
      cases.push_back({name + suffix, t, needs_all,
                       [=](KernelWriter& k) { return k.value(opcode, k.type(t), operands(k)); }, std::move(expected)});
    };
    const auto picked = [](const Lanes& lanes, uint32_t lane) -> Expected { return of_lane(lanes, lanes.picks[lane]); };
    add(
        "shuffle", spv::OpGroupNonUniformShuffle,
        [](KernelWriter& k) {
          return Words{k.scope(), k.x, k.pick};
        },
        picked);
    add(
        "intel_shuffle", spv::OpSubgroupShuffleINTEL,
        [](KernelWriter& k) {
          return Words{k.x, k.pick};
        },
        picked);
    for (uint32_t n : {1u, 3u, size / 2}) {
      if (n != 1 && t != Type::U32 && t != Type::F64) continue;
      const auto number = [n](KernelWriter& k) { return Words{k.scope(), k.x, k.constant(n)}; };
      const std::string by = std::to_string(n);
      add("xor" + by, spv::OpGroupNonUniformShuffleXor, number,
          [n](const Lanes& lanes, uint32_t lane) { return of_lane(lanes, lane ^ n); });
      add("up" + by, spv::OpGroupNonUniformShuffleUp, number,
          [n](const Lanes& lanes, uint32_t lane) { return of_lane(lanes, int64_t(lane) - n); });
      add("down" + by, spv::OpGroupNonUniformShuffleDown, number,
          [n](const Lanes& lanes, uint32_t lane) { return of_lane(lanes, int64_t(lane) + n); });
      add("rotate" + by, spv::OpGroupNonUniformRotateKHR, number,
          [n](const Lanes& lanes, uint32_t lane) { return of_lane(lanes, (lane + n) % lanes.size); });
      add(
          "intel_xor" + by, spv::OpSubgroupShuffleXorINTEL,
          [n](KernelWriter& k) {
            return Words{k.x, k.constant(n)};
          },
          [n](const Lanes& lanes, uint32_t lane) { return of_lane(lanes, lane ^ n); });
      if (n > size) continue;
      // Two values side by side: `next` follows `current` (down), `current` follows `previous` (up).
      add(
          "intel_down" + by, spv::OpSubgroupShuffleDownINTEL,
          [n](KernelWriter& k) {
            return Words{k.x, k.x, k.constant(n)};
          },
          [n](const Lanes& lanes, uint32_t lane) { return of_lane(lanes, (lane + n) % lanes.size); }, true);
      add(
          "intel_up" + by, spv::OpSubgroupShuffleUpINTEL,
          [n](KernelWriter& k) {
            return Words{k.x, k.x, k.constant(n)};
          },
          [n](const Lanes& lanes, uint32_t lane) { return of_lane(lanes, (lane + lanes.size - n) % lanes.size); },
          true);
    }
    for (uint32_t cluster = 2; cluster <= size; cluster *= 4)
      add(
          "rotate_in_" + std::to_string(cluster), spv::OpGroupNonUniformRotateKHR,
          [cluster](KernelWriter& k) {
            return Words{k.scope(), k.x, k.constant(1), k.constant(cluster)};
          },
          [cluster](const Lanes& lanes, uint32_t lane) {
            return of_lane(lanes, (lane + 1) % cluster + lane / cluster * cluster);
          });
    add(
        "broadcast_first", spv::OpGroupNonUniformBroadcastFirst,
        [](KernelWriter& k) {
          return Words{k.scope(), k.x};
        },
        [](const Lanes& lanes, uint32_t) { return of_lane(lanes, first_active(lanes)); });
    for (uint32_t from : {0u, size - 1}) {
      const auto expected = [from](const Lanes& lanes, uint32_t) { return of_lane(lanes, from); };
      add(
          "broadcast" + std::to_string(from), spv::OpGroupNonUniformBroadcast,
          [from](KernelWriter& k) {
            return Words{k.scope(), k.x, k.constant(from)};
          },
          expected);
      add(
          "uniform_broadcast" + std::to_string(from), spv::OpGroupBroadcast,
          [from](KernelWriter& k) {
            return Words{k.scope(), k.x, k.constant(from)};
          },
          expected, true);
    }
    if (is_float(t)) continue;
    cases.push_back({"all_equal" + suffix, t, false,
                     [t](KernelWriter& k) {
                       return k.flag(k.value(spv::OpGroupNonUniformAllEqual, k.boolean, {k.scope(), k.x}), t);
                     },
                     [](const Lanes& lanes, uint32_t) -> Expected {
                       for (uint32_t i = 0; i < lanes.count(); ++i)
                         if (lanes.active[i] && lanes.values[i] != lanes.values[first_active(lanes)]) return 0;
                       return 1;
                     }});
  }
}

// ---- votes and ballots ---------------------------------------------------------------------------------------------

uint64_t ballot_of(const Lanes& lanes) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < lanes.count(); ++i) bits |= uint64_t(lanes.active[i] && lanes.values[i] & 1) << i;
  return bits;
}
uint64_t active_of(const Lanes& lanes) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < lanes.count(); ++i) bits |= uint64_t(bool(lanes.active[i])) << i;
  return bits;
}
uint64_t below(uint32_t lane) { return lane == 64 ? ~0ull : (1ull << lane) - 1; }

void add_votes(std::vector<Case>& cases) {
  const auto add = [&](const char* name, bool needs_all, std::function<Id(KernelWriter&)> emit,
                       std::function<Expected(const Lanes&, uint32_t)> expected) {
    cases.push_back({name, Type::U64, needs_all, std::move(emit), std::move(expected)});
  };
  const auto vote = [](uint16_t opcode) {
    return [opcode](KernelWriter& k) {
      return k.flag(k.value(opcode, k.boolean, {k.scope(), k.is_odd(k.x)}), Type::U64);
    };
  };
  const auto any = [](const Lanes& lanes, uint32_t) -> Expected { return ballot_of(lanes) != 0; };
  const auto all = [](const Lanes& lanes, uint32_t) -> Expected { return ballot_of(lanes) == active_of(lanes); };
  add("any", false, vote(spv::OpGroupNonUniformAny), any);
  add("all", false, vote(spv::OpGroupNonUniformAll), all);
  add("uniform_any", true, vote(spv::OpGroupAny), any);
  add("uniform_all", true, vote(spv::OpGroupAll), all);
  add(
      "elect", false,
      [](KernelWriter& k) { return k.flag(k.value(spv::OpGroupNonUniformElect, k.boolean, {k.scope()}), Type::U64); },
      [](const Lanes& lanes, uint32_t lane) -> Expected { return lane == first_active(lanes); });
  const auto ballot = [](KernelWriter& k) {
    return k.value(spv::OpGroupNonUniformBallot, k.ballot, {k.scope(), k.is_odd(k.x)});
  };
  add(
      "ballot", false, [=](KernelWriter& k) { return k.low_words(ballot(k)); },
      [](const Lanes& lanes, uint32_t) -> Expected { return ballot_of(lanes); });
  add(
      "inverse_ballot", false,
      [=](KernelWriter& k) {
        return k.flag(k.value(spv::OpGroupNonUniformInverseBallot, k.boolean, {k.scope(), ballot(k)}), Type::U64);
      },
      [](const Lanes& lanes, uint32_t lane) -> Expected { return lanes.values[lane] & 1; });
  add(
      "ballot_bit", false,
      [=](KernelWriter& k) {
        return k.flag(k.value(spv::OpGroupNonUniformBallotBitExtract, k.boolean, {k.scope(), ballot(k), k.pick}),
                      Type::U64);
      },
      [](const Lanes& lanes, uint32_t lane) -> Expected { return ballot_of(lanes) >> lanes.picks[lane] & 1; });
  const auto count = [=](spv::GroupOperation how) {
    return [=](KernelWriter& k) {
      return k.as(Type::U64,
                  k.value(spv::OpGroupNonUniformBallotBitCount, k.u32, {k.scope(), uint32_t(how), ballot(k)}));
    };
  };
  add("ballot_count", false, count(spv::GroupOperationReduce),
      [](const Lanes& lanes, uint32_t) -> Expected { return uint64_t(std::popcount(ballot_of(lanes))); });
  add("ballot_inclusive", false, count(spv::GroupOperationInclusiveScan),
      [](const Lanes& lanes, uint32_t lane) -> Expected {
        return uint64_t(std::popcount(ballot_of(lanes) & below(lane + 1)));
      });
  add("ballot_exclusive", false, count(spv::GroupOperationExclusiveScan),
      [](const Lanes& lanes, uint32_t lane) -> Expected {
        return uint64_t(std::popcount(ballot_of(lanes) & below(lane)));
      });
  const auto find = [=](uint16_t opcode) {
    return [=](KernelWriter& k) { return k.as(Type::U64, k.value(opcode, k.u32, {k.scope(), ballot(k)})); };
  };
  add("ballot_lowest", false, find(spv::OpGroupNonUniformBallotFindLSB), [](const Lanes& lanes, uint32_t) -> Expected {
    return ballot_of(lanes) ? Expected(uint64_t(std::countr_zero(ballot_of(lanes)))) : std::nullopt;
  });
  add("ballot_highest", false, find(spv::OpGroupNonUniformBallotFindMSB), [](const Lanes& lanes, uint32_t) -> Expected {
    return ballot_of(lanes) ? Expected(63u - uint64_t(std::countl_zero(ballot_of(lanes)))) : std::nullopt;
  });
  for (const auto& [name, opcode, want] : {std::tuple("logical_and", spv::OpGroupNonUniformLogicalAnd, 0),
                                           std::tuple("logical_or", spv::OpGroupNonUniformLogicalOr, 1),
                                           std::tuple("logical_xor", spv::OpGroupNonUniformLogicalXor, 2)})
    add(
        name, false,
        [opcode = opcode](KernelWriter& k) {
          return k.flag(
              k.value(uint16_t(opcode), k.boolean, {k.scope(), spv::GroupOperationInclusiveScan, k.is_odd(k.x)}),
              Type::U64);
        },
        [want = want](const Lanes& lanes, uint32_t lane) -> Expected {
          const uint64_t seen = ballot_of(lanes) & below(lane + 1), here = active_of(lanes) & below(lane + 1);
          return want == 0 ? seen == here : want == 1 ? seen != 0 : std::popcount(seen) % 2 == 1;
        });
}

// ---- queries -------------------------------------------------------------------------------------------------------

void add_queries(std::vector<Case>& cases) {
  const auto add = [&](const char* name, spv::BuiltIn which, std::function<uint64_t(const Lanes&, uint32_t)> expected) {
    cases.push_back({name, Type::U32, false, [which](KernelWriter& k) { return k.builtin(which); },
                     [expected](const Lanes& lanes, uint32_t lane) -> Expected { return expected(lanes, lane); }});
  };
  add("query_size", spv::BuiltInSubgroupSize, [](const Lanes& l, uint32_t) { return l.count(); });
  add("query_max_size", spv::BuiltInSubgroupMaxSize, [](const Lanes& l, uint32_t) { return l.size; });
  add("query_count", spv::BuiltInNumSubgroups, [](const Lanes& l, uint32_t) { return l.groups; });
  add("query_enqueued", spv::BuiltInNumEnqueuedSubgroups, [](const Lanes& l, uint32_t) { return l.groups; });
  add("query_id", spv::BuiltInSubgroupId, [](const Lanes& l, uint32_t) { return l.group; });
  add("query_local_id", spv::BuiltInSubgroupLocalInvocationId, [](const Lanes&, uint32_t lane) { return lane; });
  const auto add_mask = [&](const char* name, spv::BuiltIn which, std::function<uint64_t(uint32_t lane)> expected) {
    cases.push_back(
        {name, Type::U64, false, [which](KernelWriter& k) { return k.low_words(k.builtin(which)); },
         [expected](const Lanes& lanes, uint32_t lane) -> Expected { return expected(lane) & below(lanes.count()); }});
  };
  add_mask("mask_equal", spv::BuiltInSubgroupEqMask, [](uint32_t lane) { return 1ull << lane; });
  add_mask("mask_less", spv::BuiltInSubgroupLtMask, [](uint32_t lane) { return below(lane); });
  add_mask("mask_up_to", spv::BuiltInSubgroupLeMask, [](uint32_t lane) { return below(lane + 1); });
  add_mask("mask_greater", spv::BuiltInSubgroupGtMask, [](uint32_t lane) { return ~below(lane + 1); });
  add_mask("mask_from", spv::BuiltInSubgroupGeMask, [](uint32_t lane) { return ~below(lane); });
}

} // namespace

std::vector<Case> all_cases(uint32_t size) {
  std::vector<Case> cases;
  add_queries(cases);
  add_votes(cases);
  add_exchanges(cases, size);
  add_operators(cases, size);
  // Small sizes make some the same.
  std::vector<Case> distinct;
  for (Case& c : cases)
    if (std::ranges::find(distinct, c.name, &Case::name) == distinct.end()) {
      const bool vote = !std::isdigit(static_cast<unsigned char>(c.name.back()));
      c.with_some = !c.needs_all && (bytes_of(c.type) == 4 || vote);
      distinct.push_back(std::move(c));
    }
  return distinct;
}

bool same(Type type, uint64_t a, uint64_t b) { return a == b || (is_float(type) && real(type, a) == real(type, b)); }

} // namespace zeroth::sub_groups
