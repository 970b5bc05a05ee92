#include "generate.hpp"

#include "generate_expressions.hpp"

#include <utility>

namespace zeroth::random_programs {
namespace {

// What may be written at a place of the program.
struct Place {
  int depth = 0;                // statements nested so far
  bool uniform_flow = true;     // all work-items of the group are here, the same number of times
  bool converged = true;        // all work-items of each sub-group that pass here pass together
  bool whole_sub_groups = true; // and none of them is missing
  bool in_loop = false;         // break and continue are possible
  bool in_function = false;
  bool may_return = false; // no barrier follows
};

class Generator : ExpressionGenerator {
public:
  Generator(uint64_t seed, const Features& features)
      : ExpressionGenerator(seed, features.vectors && seed % 2 == 1), features_(features) {}

  Program run() {
    choose_shape();
    for (uint32_t f = large_ ? random_.below(3) : random_.below(4) / 2; f > 0; --f) add_function();
    function_ = nullptr;
    for (uint32_t v = large_ ? 3 + random_.below(5) : 2 + random_.below(3); v > 0; --v) add_variable(random_type());
    begin_local_memory();
    if (program_.uses_sub_group_barriers) program_.body.push_back(sub_group_barriers({}));
    for (uint32_t s = large_ ? 3 + random_.below(6) : 1 + random_.below(3); s > 0; --s)
      program_.body.push_back(statement({}));
    finish();
    return std::move(program_);
  }

private:
  // One program in sixteen is large; a hundred thousand small ones say more than ten thousand large ones.
  void choose_shape() {
    large_ = random_.one_in(16);
    if (!large_) most_depth_ = 2, most_nesting_ = 2;
    static constexpr uint32_t sizes[] = {1, 2, 3, 7, 8, 16, 17, 31, 32, 33, 48, 64, 64, 100, 128, 255, 256, 257};
    if (random_.one_in(4)) {
      program_.group_size = {1 + random_.below(9), 1 + random_.below(6), 1 + random_.below(4)};
    } else {
      program_.group_size[0] = sizes[random_.below(std::size(sizes))];
    }
    program_.group_count = {1 + random_.below(3), 1 + random_.below(2), 1};
    for (uint32_t& u : program_.uniforms) u = random_.one_in(2) ? random_.below(9) : uint32_t(random_.next());
    program_.uses_barriers = features_.barriers && !random_.one_in(3);
    program_.uses_sub_groups = features_.sub_groups && random_.one_in(3);
    if (program_.uses_sub_groups) program_.required_sub_group_size = 4u << random_.below(5);
    program_.requires_group_size = random_.one_in(2);
    program_.slots = 1 + random_.below(3);
    program_.private_arrays = random_.below(3);
    program_.local_arrays = program_.uses_barriers ? 2 + random_.below(2) : 0;
    program_.uses_sub_group_barriers =
        program_.uses_sub_groups && features_.sub_group_barriers && program_.seed % 2 == 1 && !random_.one_in(3);
  }

  // ---- statements ------------------------------------------------------------------------------------------------

  Stmt assign() {
    const Type type = random_type();
    Stmt s{.kind = Kind::Assign};
    s.a = value(type, 3);
    s.target = pick_target(type);
    return s;
  }

  Stmt statement(const Place& place) {
    const bool compound = place.depth < most_nesting_ && random_.below(10) < 6 - uint32_t(place.depth);
    return compound ? compound_statement(place) : simple_statement(place);
  }

  Stmt simple_statement(const Place& place) {
    const uint32_t pick = random_.below(12);
    if (pick < 2 && !place.in_function) return store_output();
    if (pick == 2 && program_.private_arrays && !place.in_function) {
      Stmt s{.kind = Kind::StorePrivate, .target = random_.below(program_.private_arrays)};
      s.a = index(PrivateWords);
      s.b = u32(2);
      return s;
    }
    if (pick == 3 && features_.atomics && !place.in_function) return atomic();
    if (pick == 4 && place.in_loop)
      return Stmt{
          .kind = Kind::If, .a = boolean(2), .body = {Stmt{.kind = random_.one_in(2) ? Kind::Break : Kind::Continue}}};
    if (pick == 5 && place.may_return) {
      Stmt leave{.kind = Kind::Return};
      if (place.in_function) leave.a = u32(1);
      return Stmt{.kind = Kind::If, .a = boolean(2), .body = {leave}};
    }
    if ((pick == 6 || pick == 7) && program_.uses_sub_groups && place.converged && !place.in_function)
      return sub_group(place);
    return assign();
  }

  Stmt store_output() {
    Stmt s{.kind = Kind::StoreOutput, .target = random_.below(program_.slots)};
    s.a = u32(3);
    return s;
  }

  // Operators do not commute with each other, so each counter has one operator and stays independent of the order.
  Stmt atomic() {
    const bool tally = program_.local_arrays && random_.one_in(2);
    Stmt s{.kind = tally ? Kind::AtomicLocal : Kind::AtomicGlobal};
    const uint32_t cell = random_.below(tally ? TallyWords : CounterWords);
    s.target = cell % 6;
    s.a = constant(cell);
    if (!tally && cell == 0 && random_.one_in(2)) // a varying cell: those with operator Add
      s.a = make(Op::Mul, Type::U32, make(Op::And, Type::U32, u32(1), constant(1)), constant(6));
    s.b = u32(2);
    return s;
  }

  Stmt sub_group(const Place& place) {
    Stmt s{.kind = Kind::SubGroup};
    s.sub_group_op = SubGroupOp(random_.below(SubGroupOpCount));
    if (!place.uniform_flow && s.sub_group_op == SubGroupOp::Reverse) s.sub_group_op = SubGroupOp::ReduceAdd;
    s.a = u32(2);
    s.target = pick_target(Type::U32);
    return s;
  }

  Block block(Place place, uint32_t most) {
    ++place.depth;
    Block result;
    for (uint32_t n = 1 + random_.below(most); n > 0; --n) result.push_back(statement(place));
    return result;
  }

  Stmt compound_statement(const Place& place) {
    if (program_.uses_sub_group_barriers && place.whole_sub_groups && !place.in_function && random_.one_in(3))
      return sub_group_barriers(place);
    const uint32_t pick = random_.below(10);
    const bool barriers = program_.uses_barriers && place.uniform_flow && !place.in_function;
    if (barriers && pick < 3) return announces() ? group_announce() : exchange();
    if (barriers && pick == 3) return uniform_loop(place);
    if (barriers && pick == 4) return uniform_branch(place);
    if (barriers && pick == 5) return guarded_exchange(place);
    if (pick == 6) return choose(place);
    return pick < 8 ? branch(place) : loop(place);
  }

  Place divergent(Place place, bool loops) const {
    place.uniform_flow = place.whole_sub_groups = false;
    place.converged = place.converged && !loops && place.depth == 0;
    place.may_return = place.in_function || !program_.uses_barriers;
    if (program_.uses_sub_groups && !place.in_function) place.may_return = false;
    return place;
  }

  Stmt branch(const Place& place) {
    Stmt s{.kind = Kind::If, .a = boolean(3)};
    const Place inner = divergent(place, false);
    s.body = block(inner, 3);
    if (random_.one_in(2)) s.other = block(inner, 3);
    return s;
  }

  Stmt choose(const Place& place) {
    Stmt s{.kind = Kind::Switch, .falls_through = random_.one_in(3)};
    s.a = make(Op::And, Type::U32, u32(2), constant(7));
    const Place inner = divergent(place, true);
    for (uint32_t c = 2 + random_.below(4); c > 0; --c) s.cases.push_back(block(inner, 2));
    s.other = block(inner, 2);
    return s;
  }

  uint32_t new_counter() {
    const uint32_t counter = add_variable(Type::U32);
    add_variable(Type::U32);
    return counter;
  }

  Stmt loop(const Place& place) {
    Stmt s{.kind = random_.one_in(3) ? Kind::DoWhile : Kind::For};
    s.a = make(Op::And, Type::U32, u32(2), constant(random_.one_in(3) ? 15 : 7));
    s.target = new_counter();
    reserved_.push_back(s.target);
    Place inner = divergent(place, true);
    inner.in_loop = true;
    s.body = block(inner, 3);
    reserved_.pop_back();
    return s;
  }

  // ---- barriers --------------------------------------------------------------------------------------------------

  // barrier; every work-item writes one cell of its own choosing (a permutation); barrier.
  Stmt exchange() {
    const uint32_t array = 1 + random_.below(program_.local_arrays - 1);
    Stmt store{.kind = Kind::StoreLocal, .target = array};
    may_read_local_ = false; // the cells are in motion
    store.b = u32(3);
    may_read_local_ = true;
    store.a = permutation();
    return Stmt{.kind = Kind::If,
                .a = make(Op::Equal, Type::Bool, constant(0), constant(0)),
                .body = {Stmt{.kind = Kind::Barrier}, std::move(store), Stmt{.kind = Kind::Barrier}}};
  }

  // One work-item writes a cell that all have read and read again: nobody may go on with what it read first.
  Stmt announce(Kind barrier_kind, uint32_t array, const Expr& cell, Expr is_speaker) {
    const Stmt barrier{.kind = barrier_kind};
    Stmt store{.kind = Kind::StoreLocal, .target = array};
    store.a = cell;
    store.b = u32(2);
    Stmt speak{.kind = Kind::If, .a = std::move(is_speaker)};
    speak.body.push_back(std::move(store));
    Stmt all{.kind = Kind::If, .a = make(Op::Equal, Type::Bool, constant(0), constant(0))};
    all.body = {barrier, listen(array, cell), barrier, std::move(speak), barrier, listen(array, cell)};
    return all;
  }

  Stmt listen(uint32_t array, const Expr& cell) {
    Stmt read{.kind = Kind::Assign, .target = pick_target(Type::U32)};
    read.a = make(Op::Add, Type::U32, leaf(Op::Variable, read.target), {Op::LoadLocal, Type::U32, array, {cell}});
    return read;
  }

  Stmt group_announce() {
    const auto any_item = [&] { return make(Op::RemU, Type::U32, uniform_u32(), leaf(Op::LocalLinearSize)); };
    const uint32_t array = 1 + random_.below(program_.local_arrays - 1);
    return announce(Kind::Barrier, array, any_item(), make(Op::Equal, Type::Bool, leaf(Op::LocalLinearId), any_item()));
  }

  Expr permutation() {
    Expr id = leaf(Op::LocalLinearId), size = leaf(Op::LocalLinearSize);
    switch (random_.below(3)) {
    case 0:
      return id;
    case 1:
      return make(Op::Sub, Type::U32, make(Op::Sub, Type::U32, size, constant(1)), id);
    default: {
      Expr turned = make(Op::Add, Type::U32, id, make(Op::And, Type::U32, uniform_leaf(), constant(0xff)));
      return make(Op::RemU, Type::U32, std::move(turned), size);
    }
    }
  }

  bool announces() { return features_.sub_group_barriers && program_.seed % 2 == 1 && random_.one_in(2); }

  Block uniform_block(const Place& place) {
    Place inner = place;
    inner.in_loop = false;
    Block result = block(inner, 2);
    result.push_back(exchange());
    return result;
  }

  Stmt uniform_loop(const Place& place) {
    Stmt s{.kind = Kind::For};
    s.a = make(Op::And, Type::U32, uniform_u32(), constant(3));
    s.target = new_counter();
    reserved_.push_back(s.target);
    s.body = uniform_block(place);
    reserved_.pop_back();
    return s;
  }

  Stmt uniform_branch(const Place& place) {
    Stmt s{.kind = Kind::If};
    s.a = make(Op::LessU, Type::Bool, make(Op::And, Type::U32, uniform_u32(), constant(7)), constant(random_.below(8)));
    s.body = uniform_block(place);
    if (random_.one_in(2)) s.other = uniform_block(place);
    return s;
  }

  // A loop whose trip count varies, with a barrier where only the counter decides: uniform, but not to be seen at once.
  Stmt guarded_exchange(const Place& place) {
    Stmt s{.kind = Kind::For};
    const uint32_t sure = 1 + random_.below(2); // iterations that all work-items run
    s.a = make(Op::Add, Type::U32, make(Op::And, Type::U32, u32(1), constant(3)), constant(sure));
    s.target = new_counter();
    reserved_.push_back(s.target);
    const Expr counter = leaf(Op::Variable, s.target);
    s.body.push_back(
        Stmt{.kind = Kind::If, .a = make(Op::LessU, Type::Bool, counter, constant(sure)), .body = {exchange()}});
    Place inner = divergent(place, true);
    inner.may_return = false;
    may_read_local_ = false; // some work-items may still be here while others exchange
    for (Stmt& extra : block(inner, 2)) s.body.push_back(std::move(extra));
    may_read_local_ = true;
    reserved_.pop_back();
    return s;
  }

  // ---- barriers of sub-groups ------------------------------------------------------------------------------------

  Stmt sub_group_barriers(const Place& place) {
    switch (place.depth < most_nesting_ ? random_.below(5) : 3) {
    case 0:
      return sub_group_branch(place);
    case 1:
      return sub_group_loop(place);
    case 2:
      return sub_group_announce();
    default:
      return sub_group_exchange();
    }
  }

  Stmt sub_group_announce() {
    const auto any_lane = [&] { return make(Op::RemU, Type::U32, uniform_u32(), leaf(Op::SubGroupSize)); };
    return announce(Kind::SubGroupBarrier, program_.local_arrays, sub_group_cell(any_lane()),
                    make(Op::Equal, Type::Bool, leaf(Op::SubGroupLocalId), any_lane()));
  }

  // As `exchange`, in the cells of each sub-group alone; then each reads a cell that another may have written.
  Stmt sub_group_exchange() {
    Stmt store{.kind = Kind::StoreLocal, .target = program_.local_arrays};
    store.a = sub_group_cell(sub_group_permutation());
    store.b = u32(3);
    Stmt read{.kind = Kind::Assign, .target = pick_target(Type::U32)};
    Expr lane = make(Op::RemU, Type::U32, u32(1), leaf(Op::SubGroupSize));
    read.a = {Op::LoadLocal, Type::U32, program_.local_arrays, {sub_group_cell(std::move(lane))}};
    const Stmt barrier{.kind = Kind::SubGroupBarrier};
    return Stmt{.kind = Kind::If,
                .a = make(Op::Equal, Type::Bool, constant(0), constant(0)),
                .body = {barrier, std::move(store), barrier, std::move(read)}};
  }

  Expr sub_group_cell(Expr lane) {
    Expr first = make(Op::Mul, Type::U32, leaf(Op::SubGroupId), constant(program_.required_sub_group_size));
    return make(Op::Add, Type::U32, std::move(first), std::move(lane));
  }

  Expr sub_group_permutation() {
    Expr own = leaf(Op::SubGroupLocalId), size = leaf(Op::SubGroupSize);
    if (random_.one_in(3)) return own;
    if (random_.one_in(2)) return make(Op::Sub, Type::U32, make(Op::Sub, Type::U32, size, constant(1)), std::move(own));
    return make(Op::RemU, Type::U32, make(Op::Add, Type::U32, std::move(own), constant(1 + random_.below(40))), size);
  }

  // The same for all of a sub-group, and not for all of the group.
  Expr sub_group_uniform_u32() {
    return make(random_.one_in(2) ? Op::Add : Op::Mul, Type::U32, leaf(Op::SubGroupId), uniform_u32());
  }

  Block sub_group_block(Place place) {
    place.uniform_flow = place.may_return = place.in_loop = false;
    Block result = block(place, 2);
    result.push_back(sub_group_exchange());
    return result;
  }

  Stmt sub_group_branch(const Place& place) {
    Stmt s{.kind = Kind::If};
    s.a = make(Op::LessU, Type::Bool, make(Op::And, Type::U32, sub_group_uniform_u32(), constant(3)),
               constant(random_.below(4)));
    s.body = sub_group_block(place);
    if (random_.one_in(2)) s.other = sub_group_block(place);
    return s;
  }

  Stmt sub_group_loop(const Place& place) {
    Stmt s{.kind = Kind::For, .target = new_counter()};
    s.a = make(Op::And, Type::U32, sub_group_uniform_u32(), constant(3));
    reserved_.push_back(s.target);
    s.body = sub_group_block(place);
    reserved_.pop_back();
    return s;
  }

  void begin_local_memory() {
    if (program_.uses_sub_group_barriers) {
      Stmt store{.kind = Kind::StoreLocal, .target = program_.local_arrays};
      store.a = leaf(Op::LocalLinearId);
      store.b = leaf(Op::GlobalId, 0);
      program_.body.push_back(std::move(store));
      program_.body.push_back(Stmt{.kind = Kind::SubGroupBarrier});
    }
    if (!program_.local_arrays) return;
    Stmt zero{.kind = Kind::If, .a = make(Op::Equal, Type::Bool, leaf(Op::LocalLinearId), constant(0))};
    for (uint32_t t = 0; t < TallyWords; ++t) {
      Stmt store{.kind = Kind::StoreLocal, .target = TallyArray};
      store.a = constant(t);
      store.b = constant(t * 3);
      zero.body.push_back(store);
    }
    program_.body.push_back(std::move(zero));
    for (uint32_t array = 1; array < program_.local_arrays; ++array) {
      Stmt store{.kind = Kind::StoreLocal, .target = array};
      store.a = leaf(Op::LocalLinearId);
      store.b = make(Op::Mul, Type::U32, leaf(Op::GlobalId, 0), constant(array));
      program_.body.push_back(std::move(store));
    }
    program_.body.push_back(Stmt{.kind = Kind::Barrier});
    may_read_local_ = true;
  }

  // Every variable ends up in the output, so that nothing wrong stays hidden.
  void finish() {
    if (program_.local_arrays) program_.body.push_back(Stmt{.kind = Kind::Barrier});
    Expr sum = constant(program_.seed & 0xffff);
    for (uint32_t v = 0; v < program_.variables.size(); ++v) {
      const Type type = program_.variables[v];
      for (uint32_t c = 0; c < component_count(type); ++c) {
        Expr word = leaf(Op::Variable, v, type);
        if (type == Type::U64) word = make(Op::Truncate32, Type::U32, std::move(word));
        if (type == Type::F32) word = float_bits(std::move(word));
        if (is_vector(type)) word = make(Op::Component, Type::U32, std::move(word), constant(c));
        sum = make(Op::Add, Type::U32, make(Op::Mul, Type::U32, std::move(sum), constant(31)), std::move(word));
      }
    }
    for (uint32_t t = 0; program_.local_arrays && t < TallyWords; ++t)
      sum = make(Op::Xor, Type::U32, std::move(sum), Expr{Op::LoadLocal, Type::U32, TallyArray, {constant(t)}});
    Stmt s{.kind = Kind::StoreOutput, .target = 0};
    s.a = std::move(sum);
    program_.body.push_back(std::move(s));
  }

  void add_function() {
    program_.functions.emplace_back();
    Function function;
    function_ = &function;
    function.parameters = 1 + random_.below(2);
    for (uint32_t p = 0; p < function.parameters + 1; ++p) add_variable(Type::U32);
    Place place;
    place.in_function = true;
    place.uniform_flow = place.converged = place.whole_sub_groups = false;
    place.may_return = true;
    place.depth = 1;
    for (uint32_t s = 1 + random_.below(3); s > 0; --s) function.body.push_back(statement(place));
    function.result = u32(2);
    program_.functions.back() = std::move(function);
    function_ = nullptr;
  }

  Features features_;
  bool large_ = false;
  int most_nesting_ = 4; // of statements
};

} // namespace

Program generate(uint64_t seed, const Features& features) { return Generator(seed, features).run(); }

} // namespace zeroth::random_programs
