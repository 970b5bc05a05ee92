#include "interpret.hpp"

#include "scalar.hpp"
#include "vector.hpp"

#include <algorithm>

namespace zeroth::random_programs {
namespace {

enum class Flow : uint8_t { Running, Broke, Continued, Returned };

using Mask = std::vector<uint8_t>;

// Who touches a cell and when: the number of barriers that its group and its sub-group have passed.
struct Access {
  uint32_t item = 0, phase = 0, sub_group = 0, sub_group_phase = 0;

  // Whether no barrier stands between this access and an earlier one by somebody else.
  bool races_with(const Access& earlier) const {
    const bool ordered = sub_group == earlier.sub_group && sub_group_phase != earlier.sub_group_phase;
    return phase == earlier.phase && item != earlier.item && !ordered;
  }
};

// Local memory that notices races: a cell written and touched by different work-items between two barriers.
class LocalArray {
public:
  uint32_t load(uint32_t index, const Access& access) {
    Cell& cell = cells_[index];
    if (access.races_with(cell.write)) throw IllegalProgram("local read races with a write");
    cell.read = access;
    return cell.word;
  }
  void store(uint32_t index, const Access& access, uint32_t word) {
    Cell& cell = cells_[index];
    if (access.races_with(cell.write)) throw IllegalProgram("local writes race");
    if (access.races_with(cell.read)) throw IllegalProgram("local write races with a read");
    cell.write = access;
    cell.word = word;
  }
  uint32_t& atomic(uint32_t index) { return cells_[index].word; }

private:
  struct Cell {
    uint32_t word = 0;
    Access write, read;
  };
  std::array<Cell, LocalWords> cells_;
};

struct Item {
  std::array<uint32_t, 3> local_id{}, global_id{};
  uint32_t local_linear = 0, global_linear = 0;
  std::vector<uint64_t> variables;
  std::vector<std::array<uint32_t, PrivateWords>> arrays;
  Flow flow = Flow::Running;
  uint64_t returned = 0;
};

// One work-group (or one call of a function by one work-item: then a group of one).
class Group {
public:
  Group(const Program& program, uint32_t sub_group_size, std::array<uint32_t, 3> id, Buffers& buffers)
      : program_(program), sub_group_size_(sub_group_size), id_(id), buffers_(buffers),
        local_(program.all_local_arrays()),
        sub_group_phases_((program.group_items() + sub_group_size - 1) / sub_group_size) {
    for (uint32_t i = 0; i < program.group_items(); ++i) items_.push_back(make_item(i));
  }

  void run() { run(program_.body, Mask(items_.size(), 1)); }

private:
  Item make_item(uint32_t linear) const {
    Item item;
    const auto& size = program_.group_size;
    item.local_linear = linear;
    item.local_id = {linear % size[0], linear / size[0] % size[1], linear / (size[0] * size[1])};
    for (int d = 0; d < 3; ++d) item.global_id[d] = id_[d] * size[d] + item.local_id[d];
    const uint32_t width = size[0] * program_.group_count[0], height = size[1] * program_.group_count[1];
    item.global_linear = item.global_id[0] + width * (item.global_id[1] + height * item.global_id[2]);
    item.variables.assign(program_.variables.size(), 0);
    item.arrays.assign(program_.private_arrays, {});
    return item;
  }

  bool live(const Mask& mask, size_t i) const { return mask[i] && items_[i].flow == Flow::Running; }

  template <typename F> void each(const Mask& mask, F&& act) {
    for (size_t i = 0; i < items_.size(); ++i)
      if (live(mask, i)) act(items_[i]);
  }

  Mask where(const Mask& mask, const Expr& condition, bool wanted) {
    Mask result(items_.size(), 0);
    for (size_t i = 0; i < items_.size(); ++i)
      if (live(mask, i)) result[i] = (evaluate(condition, items_[i]) != 0) == wanted;
    return result;
  }

  void run(const Block& block, const Mask& mask) {
    for (const Stmt& stmt : block) {
      bool any = false;
      each(mask, [&](Item&) { any = true; });
      if (!any) return;
      run(stmt, mask);
    }
  }

  void run(const Stmt& s, const Mask& mask) {
    switch (s.kind) {
    case Kind::Assign:
      return each(mask, [&](Item& i) { i.variables[s.target] = evaluate(s.a, i); });
    case Kind::StorePrivate:
      return each(mask, [&](Item& i) { i.arrays[s.target][evaluate(s.a, i)] = uint32_t(evaluate(s.b, i)); });
    case Kind::StoreOutput:
      return each(mask, [&](Item& i) {
        buffers_.output[size_t(i.global_linear) * program_.slots + s.target] = uint32_t(evaluate(s.a, i));
      });
    case Kind::StoreLocal:
      return store_local(s, mask);
    case Kind::AtomicGlobal:
      return each(mask, [&](Item& i) { apply(s, buffers_.counters[evaluate(s.a, i)], i); });
    case Kind::AtomicLocal:
      return each(mask, [&](Item& i) { apply(s, local_[TallyArray].atomic(evaluate(s.a, i)), i); });
    case Kind::Barrier:
      return barrier(mask);
    case Kind::SubGroupBarrier:
      return sub_group_barrier(mask);
    case Kind::If:
      return branch(s, mask);
    case Kind::Switch:
      return choose(s, mask);
    case Kind::For:
    case Kind::DoWhile:
      return loop(s, mask);
    case Kind::Break:
      return each(mask, [](Item& i) { i.flow = Flow::Broke; });
    case Kind::Continue:
      return each(mask, [](Item& i) { i.flow = Flow::Continued; });
    case Kind::Return:
      return each(mask, [&](Item& i) { leave(s, i); });
    case Kind::SubGroup:
      return sub_groups(s, mask);
    }
  }

  void leave(const Stmt& s, Item& item) {
    item.returned = evaluate(s.a, item);
    item.flow = Flow::Returned;
  }

  void store_local(const Stmt& s, const Mask& mask) {
    each(mask,
         [&](Item& i) { local_[s.target].store(uint32_t(evaluate(s.a, i)), access(i), uint32_t(evaluate(s.b, i))); });
  }

  void apply(const Stmt& s, uint32_t& cell, Item& item) {
    cell = apply_atomic(AtomicOp(s.target), cell, uint32_t(evaluate(s.b, item)));
  }

  void barrier(const Mask& mask) {
    for (size_t i = 0; i < items_.size(); ++i)
      if (!live(mask, i)) throw IllegalProgram("barrier is not reached by all work-items");
    ++phase_;
  }

  void sub_group_barrier(const Mask& mask) {
    for (uint32_t sub_group = 0; sub_group < sub_group_phases_.size(); ++sub_group) {
      const size_t begin = size_t(sub_group) * sub_group_size_;
      const size_t size = size_of_sub_group(sub_group);
      size_t here = 0;
      for (size_t i = begin; i < begin + size; ++i) here += live(mask, i);
      if (here != 0 && here != size) throw IllegalProgram("barrier is not reached by the whole sub-group");
      sub_group_phases_[sub_group] += here != 0;
    }
  }

  uint32_t sub_group_of(const Item& item) const { return item.local_linear / sub_group_size_; }
  uint32_t size_of_sub_group(uint32_t sub_group) const {
    return std::min(sub_group_size_, program_.group_items() - sub_group * sub_group_size_);
  }

  Access access(const Item& item) const {
    const uint32_t sub_group = sub_group_of(item);
    return {item.local_linear, phase_, sub_group, sub_group_phases_[sub_group]};
  }

  void branch(const Stmt& s, const Mask& mask) {
    const Mask taken = where(mask, s.a, true), skipped = where(mask, s.a, false);
    run(s.body, taken);
    run(s.other, skipped);
  }

  void choose(const Stmt& s, const Mask& mask) {
    std::vector<uint64_t> selected(items_.size(), 0);
    for (size_t i = 0; i < items_.size(); ++i)
      if (live(mask, i)) selected[i] = evaluate(s.a, items_[i]);
    Mask running(items_.size(), 0), other(items_.size(), 0);
    for (size_t i = 0; i < items_.size(); ++i) other[i] = live(mask, i) && selected[i] >= s.cases.size();
    for (size_t c = 0; c < s.cases.size(); ++c) {
      for (size_t i = 0; i < items_.size(); ++i)
        running[i] = (s.falls_through && running[i]) || (mask[i] && !other[i] && selected[i] == c);
      run(s.cases[c], running);
    }
    for (size_t i = 0; i < items_.size(); ++i) other[i] = other[i] || (s.falls_through && running[i]);
    run(s.other, other);
  }

  void loop(const Stmt& s, const Mask& mask) {
    each(mask, [&](Item& i) {
      i.variables[s.target] = 0;
      i.variables[s.target + 1] = uint32_t(evaluate(s.a, i));
    });
    Mask running(items_.size(), 0);
    for (size_t i = 0; i < items_.size(); ++i) running[i] = live(mask, i);
    const Mask entered = running;
    for (bool first = true;; first = false) {
      const bool tested = s.kind == Kind::For || !first;
      bool any = false;
      for (size_t i = 0; i < items_.size(); ++i) {
        Item& item = items_[i];
        running[i] = live(running, i) && (!tested || item.variables[s.target] < item.variables[s.target + 1]);
        any |= running[i] != 0;
      }
      if (!any) break;
      run(s.body, running);
      for (size_t i = 0; i < items_.size(); ++i) {
        if (!running[i]) continue;
        if (items_[i].flow == Flow::Continued) items_[i].flow = Flow::Running;
        if (items_[i].flow == Flow::Running) items_[i].variables[s.target] += 1;
      }
    }
    for (size_t i = 0; i < items_.size(); ++i)
      if (entered[i] && items_[i].flow == Flow::Broke) items_[i].flow = Flow::Running;
  }

  void sub_groups(const Stmt& s, const Mask& mask) {
    for (size_t begin = 0; begin < items_.size(); begin += sub_group_size_) {
      const size_t end = std::min(items_.size(), begin + sub_group_size_);
      std::vector<Item*> active;
      std::vector<uint32_t> values, lanes;
      for (size_t i = begin; i < end; ++i) {
        if (!live(mask, i)) continue;
        active.push_back(&items_[i]);
        values.push_back(uint32_t(evaluate(s.a, items_[i])));
        lanes.push_back(uint32_t(i - begin));
      }
      const std::vector<uint32_t> results = apply_sub_group(s.sub_group_op, values, lanes, sub_group_size_);
      for (size_t i = 0; i < active.size(); ++i) active[i]->variables[s.target] = results[i];
    }
  }

  uint64_t call(const Function& function, const Expr& e, Item& caller) {
    Group callee(*this, function, e, caller);
    callee.run(function.body, Mask(1, 1));
    Item& item = callee.items_[0];
    return item.flow == Flow::Returned ? item.returned : callee.evaluate(function.result, item);
  }

  // The frame of a call: one work-item with the function's variables.
  Group(Group& caller_group, const Function& function, const Expr& e, Item& caller)
      : program_(caller_group.program_), sub_group_size_(1), id_(caller_group.id_), buffers_(caller_group.buffers_) {
    Item item = caller;
    item.variables.assign(function.variables.size(), 0);
    for (uint32_t p = 0; p < function.parameters; ++p) item.variables[p] = caller_group.evaluate(e.args[p], caller);
    item.flow = Flow::Running;
    items_.push_back(std::move(item));
  }

  uint64_t evaluate(const Expr& e, Item& item) {
    switch (e.op) {
    case Op::Constant:
      return e.value;
    case Op::Variable:
      return item.variables[e.value];
    case Op::Uniform:
      return program_.uniforms[e.value];
    case Op::GlobalId:
      return item.global_id[e.value];
    case Op::LocalId:
      return item.local_id[e.value];
    case Op::GroupId:
      return id_[e.value];
    case Op::LocalSize:
      return program_.group_size[e.value];
    case Op::LocalLinearId:
      return item.local_linear;
    case Op::LocalLinearSize:
      return program_.group_items();
    case Op::SubGroupId:
      return sub_group_of(item);
    case Op::SubGroupLocalId:
      return item.local_linear % sub_group_size_;
    case Op::SubGroupSize:
      return size_of_sub_group(sub_group_of(item));
    case Op::LoadInput:
      return buffers_.input[evaluate(e.args[0], item)];
    case Op::LoadInputPair: {
      const size_t first = 2 * size_t(evaluate(e.args[0], item));
      return buffers_.input[first] | uint64_t(buffers_.input[first + 1]) << 32;
    }
    case Op::LoadPrivate:
      return item.arrays[e.value][evaluate(e.args[0], item)];
    case Op::LoadLocal:
      return local_[e.value].load(uint32_t(evaluate(e.args[0], item)), access(item));
    case Op::Call:
      return call(program_.functions[e.value], e, item);
    default:
      break;
    }
    uint64_t operands[4] = {};
    for (size_t i = 0; i < e.args.size(); ++i) operands[i] = evaluate(e.args[i], item);
    if (is_vector(e.type) || is_vector(e.args[0].type)) return apply_vector(e, operands);
    return apply_scalar(e.op, e.args[e.op == Op::Select ? 1 : 0].type, operands);
  }

  const Program& program_;
  const uint32_t sub_group_size_;
  const std::array<uint32_t, 3> id_;
  Buffers& buffers_;
  std::vector<LocalArray> local_;
  std::vector<uint32_t> sub_group_phases_; // barriers that each has passed
  std::vector<Item> items_;
  uint32_t phase_ = 1;
};

} // namespace

Buffers initial_buffers(const Program& program) {
  Buffers buffers;
  uint64_t state = program.seed * 2862933555777941757u + 3037000493u;
  for (uint32_t i = 0; i < InputWords; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    buffers.input.push_back(uint32_t(state >> 33) >> (state >> 61));
  }
  buffers.output.assign(size_t(program.items()) * program.slots, 0xdeadbeefu);
  buffers.counters.assign(CounterWords, 0x00ff00ffu);
  return buffers;
}

void interpret(const Program& program, uint32_t sub_group_size, Buffers& buffers) {
  for (uint32_t z = 0; z < program.group_count[2]; ++z)
    for (uint32_t y = 0; y < program.group_count[1]; ++y)
      for (uint32_t x = 0; x < program.group_count[0]; ++x) Group(program, sub_group_size, {x, y, z}, buffers).run();
}

} // namespace zeroth::random_programs
