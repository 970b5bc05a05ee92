// Loads and stores in the form that their addresses allow.
#include "widen_instruction.hpp"

#include "../../llvm_versions.hpp"
#include "../remarks.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/MathExtras.h>

namespace zeroth::codegen {

namespace {

// What one access moves per work-item: `components` elements of `element`, `size` bytes apart.
struct Access {
  const llvm::Value* address;
  llvm::Type* type;
  llvm::Type* element;
  unsigned components;
  int64_t size;
  llvm::Align alignment;

  Access(const WideState& state, const llvm::Value* address, llvm::Type* type, llvm::Align alignment)
      : address(address), type(type), element(type->getScalarType()), components(WideState::components(type)),
        size(int64_t(state.data_layout().getTypeStoreSize(element))), alignment(alignment) {
    if (type->isStructTy() || type->isArrayTy()) throw NotVectorizable("a struct in memory as a value");
    if (state.data_layout().getTypeSizeInBits(element) != uint64_t(size) * 8)
      throw NotVectorizable("memory of odd-sized integers");
  }
  llvm::Align of_component(unsigned c) const { return llvm::commonAlignment(alignment, uint64_t(c) * size); }
  // Distance of neighbours when the whole vectors of neighbouring work-items touch (3 components take the room of 4).
  int64_t packed_stride() const { return size * (components == 3 ? 4 : components); }
};

llvm::SmallVector<int> reversed(unsigned lanes) {
  llvm::SmallVector<int> order;
  for (unsigned i = lanes; i-- > 0;) order.push_back(int(i));
  return order;
}

llvm::Value* reverse(WideState& state, llvm::Value* vector) {
  return state.builder.CreateShuffleVector(vector, reversed(state.lanes()));
}

// Part's first address, or a harmless one when no work-item of the part is active.
llvm::Value* safe_base(WideState& state, const Access& access, unsigned part) {
  llvm::Value* base = state.base(access.address, part);
  if (state.is_full()) return base;
  llvm::Value* idle = state.scratch_address(access.type, base->getType()->getPointerAddressSpace());
  return state.builder.CreateSelect(state.any(state.mask[part]), base, idle);
}

// The lowest address of a contiguous run, forward or backward.
llvm::Value* run_start(WideState& state, const Access& access, unsigned part, bool backward) {
  llvm::Value* base = state.hopeful(access.address, part).base;
  if (!backward) return base;
  return state.builder.CreateConstGEP1_64(state.builder.getInt8Ty(), base,
                                          uint64_t(-access.size * int64_t(state.lanes() - 1)));
}

llvm::Value* load_run(WideState& state, const Access& access, unsigned part, bool backward) {
  llvm::Type* type = state.vector_type(access.element);
  llvm::Value* start = run_start(state, access, part, backward);
  if (state.is_full()) {
    llvm::Value* value = state.builder.CreateAlignedLoad(type, start, access.alignment);
    return backward ? reverse(state, value) : value;
  }
  llvm::Value* mask = backward ? reverse(state, state.mask[part]) : state.mask[part];
  llvm::Value* value =
      state.builder.CreateMaskedLoad(type, start, access.alignment, mask, llvm::PoisonValue::get(type));
  return backward ? reverse(state, value) : value;
}

void store_run(WideState& state, const Access& access, unsigned part, bool backward, llvm::Value* value) {
  llvm::Value* start = run_start(state, access, part, backward);
  if (backward) value = reverse(state, value);
  if (state.is_full()) {
    state.builder.CreateAlignedStore(value, start, access.alignment);
    return;
  }
  llvm::Value* mask = backward ? reverse(state, state.mask[part]) : state.mask[part];
  state.builder.CreateMaskedStore(value, start, access.alignment, mask);
}

// Lane masks with each lane repeated per slot of a packed vector; slots beyond the components are off.
llvm::Value* packed_mask(WideState& state, const Access& access, unsigned part, unsigned slots) {
  llvm::SmallVector<int> repeat;
  llvm::SmallVector<llvm::Constant*> used;
  for (unsigned i = 0; i < state.lanes() * slots; ++i) {
    repeat.push_back(int(i / slots));
    used.push_back(state.builder.getInt1(i % slots < access.components));
  }
  llvm::Value* mask = state.builder.CreateShuffleVector(state.part_mask(part), repeat);
  return state.builder.CreateAnd(mask, llvm::ConstantVector::get(used));
}

// Whole vectors of all lanes lie one after the other: one wide access and shuffles.
void load_packed(WideState& state, const Access& access, unsigned part, Values& out) {
  unsigned slots = unsigned(access.packed_stride() / access.size);
  auto* type = llvm::FixedVectorType::get(access.element, state.lanes() * slots);
  llvm::Value* base = state.hopeful(access.address, part).base;
  bool whole = state.is_full() && slots == access.components;
  llvm::Value* wide =
      whole ? static_cast<llvm::Value*>(state.builder.CreateAlignedLoad(type, base, access.alignment))
            : state.builder.CreateMaskedLoad(type, base, access.alignment, packed_mask(state, access, part, slots),
                                             llvm::PoisonValue::get(type));
  for (unsigned c = 0; c < access.components; ++c) {
    llvm::SmallVector<int> pick;
    for (unsigned lane = 0; lane < state.lanes(); ++lane) pick.push_back(int(lane * slots + c));
    out.push_back(state.builder.CreateShuffleVector(wide, pick));
  }
}

void store_packed(WideState& state, const Access& access, unsigned part, const llvm::Value* value) {
  unsigned slots = unsigned(access.packed_stride() / access.size), lanes = state.lanes();
  llvm::SmallVector<llvm::Value*> columns;
  for (unsigned c = 0; c < llvm::PowerOf2Ceil(slots); ++c)
    columns.push_back(c < access.components ? state.vector(value, part, c)
                                            : llvm::PoisonValue::get(state.vector_type(access.element)));
  while (columns.size() > 1) { // concatenate pairwise
    for (size_t i = 0; i * 2 < columns.size(); ++i) {
      unsigned length = llvm::cast<llvm::FixedVectorType>(columns[i * 2]->getType())->getNumElements();
      llvm::SmallVector<int> both;
      for (unsigned k = 0; k < 2 * length; ++k) both.push_back(int(k));
      columns[i] = state.builder.CreateShuffleVector(columns[i * 2], columns[i * 2 + 1], both);
    }
    columns.resize(columns.size() / 2);
  }
  llvm::SmallVector<int> interleave;
  for (unsigned i = 0; i < lanes * slots; ++i) interleave.push_back(int(i % slots * lanes + i / slots));
  llvm::Value* wide = state.builder.CreateShuffleVector(columns[0], interleave);
  llvm::Value* base = state.hopeful(access.address, part).base;
  if (state.is_full() && slots == access.components)
    state.builder.CreateAlignedStore(wide, base, access.alignment);
  else
    state.builder.CreateMaskedStore(wide, base, access.alignment, packed_mask(state, access, part, slots));
}

llvm::Value* component_addresses(WideState& state, const Access& access, unsigned part, unsigned c) {
  llvm::Value* addresses = state.vector(access.address, part);
  return c == 0 ? addresses
                : state.builder.CreateGEP(state.builder.getInt8Ty(), addresses,
                                          state.builder.getInt64(uint64_t(c) * access.size));
}

bool is_packed(const Access& access, const ValueShape& shape) {
  return access.components > 1 && shape.is_strided() && shape.stride == access.packed_stride();
}

bool is_run(const Access& access, const ValueShape& shape) {
  return access.components == 1 && shape.is_strided() && (shape.stride == access.size || shape.stride == -access.size);
}

// The value of the last active lane of the slice: what remains when all lanes store to one place.
llvm::Value* last_active(WideState& state, const llvm::Value* value) {
  llvm::Value* result = nullptr;
  for (unsigned part = 0; part < state.parts(); ++part) {
    llvm::Value* lane = state.builder.getInt32(state.lanes() - 1);
    llvm::Type* bits = state.builder.getIntNTy(state.lanes());
    if (!state.is_full()) {
      llvm::Value* zeros = state.builder.CreateBinaryIntrinsic(
          llvm::Intrinsic::ctlz, state.builder.CreateBitCast(state.mask[part], bits), state.builder.getFalse());
      llvm::Value* last = state.builder.CreateSub(llvm::ConstantInt::get(bits, state.lanes() - 1), zeros);
      lane = state.builder.CreateZExtOrTrunc(
          state.builder.CreateSelect(state.any(state.mask[part]), last, llvm::ConstantInt::get(bits, 0)),
          state.builder.getInt32Ty());
    }
    llvm::Value* here = state.lane(value, part, lane);
    result = !result || state.is_full() ? here : state.builder.CreateSelect(state.any(state.mask[part]), here, result);
  }
  return result;
}

// Runs `fast` where the hope that the address is strided holds in all parts, else `slow`; merges what they return.
Values where_hope_holds(WideState& state, const llvm::Value* address, const std::function<Values()>& fast,
                        const std::function<Values()>& slow) {
  Builder& builder = state.builder;
  llvm::Value* holds = builder.getTrue();
  for (unsigned part = 0; part < state.parts(); ++part)
    holds = builder.CreateAnd(holds, state.hopeful(address, part).holds);
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(state.target.getContext(), name, &state.target);
  };
  llvm::BasicBlock *run = block("in.run"), *scattered = block("scattered"), *after = block("accessed");
  builder.CreateCondBr(builder.CreateFreeze(holds), run, scattered,
                       llvm::MDBuilder(state.target.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(run);
  Values a = fast();
  llvm::BasicBlock* fast_end = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(scattered);
  Values b = slow();
  llvm::BasicBlock* slow_end = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  for (size_t i = 0; i < a.size(); ++i) {
    llvm::PHINode* phi = builder.CreatePHI(a[i]->getType(), 2);
    phi->addIncoming(a[i], fast_end);
    phi->addIncoming(b[i], slow_end);
    a[i] = phi;
  }
  return a;
}

ValueShape hoped_shape(const WideState& state, const llvm::Value* address) {
  std::optional<int64_t> hope = state.divergence.hope(address);
  return hope ? ValueShape::strided(*hope) : ValueShape::varying();
}

// Machines gather and scatter 32 and 64 bits; of other sizes the code generator would make a branch for every lane.
bool has_gather(const Access& access) { return access.size == 4 || access.size == 8; }

llvm::Value* gather(WideState& state, const Access& access, unsigned part, unsigned c) {
  llvm::Value* addresses = component_addresses(state, access, part, c);
  llvm::Type* type = state.vector_type(access.element);
  if (has_gather(access))
    return state.builder.CreateMaskedGather(type, addresses, access.of_component(c), state.part_mask(part),
                                            llvm::PoisonValue::get(type));
  return state.for_each_lane(
      part, {access.element},
      [&](llvm::Value* lane) {
        llvm::Value* address = state.builder.CreateExtractElement(addresses, lane);
        return Values{state.builder.CreateAlignedLoad(access.element, address, access.of_component(c))};
      },
      true)[0];
}

void scatter(WideState& state, const Access& access, unsigned part, unsigned c, llvm::Value* values) {
  llvm::Value* addresses = component_addresses(state, access, part, c);
  if (has_gather(access)) {
    state.builder.CreateMaskedScatter(values, addresses, access.of_component(c), state.part_mask(part));
    return;
  }
  state.for_each_lane(
      part, {},
      [&](llvm::Value* lane) {
        llvm::Value* address = state.builder.CreateExtractElement(addresses, lane);
        llvm::Value* value = state.builder.CreateExtractElement(values, lane);
        state.builder.CreateAlignedStore(value, address, access.of_component(c));
        return Values();
      },
      true);
}

Values load_parts(WideState& state, const Access& access, const ValueShape& shape) {
  Values result;
  for (unsigned part = 0; part < state.parts(); ++part) {
    if (is_run(access, shape))
      result.push_back(load_run(state, access, part, shape.stride < 0));
    else if (is_packed(access, shape))
      load_packed(state, access, part, result);
    else
      for (unsigned c = 0; c < access.components; ++c) result.push_back(gather(state, access, part, c));
  }
  return result;
}

void store_parts(WideState& state, const Access& access, const ValueShape& shape, const llvm::Value* value) {
  for (unsigned part = 0; part < state.parts(); ++part) {
    if (is_run(access, shape))
      store_run(state, access, part, shape.stride < 0, state.vector(value, part));
    else if (is_packed(access, shape))
      store_packed(state, access, part, value);
    else
      for (unsigned c = 0; c < access.components; ++c) scatter(state, access, part, c, state.vector(value, part, c));
  }
}

bool is_wide(const Access& access, const ValueShape& shape) {
  return is_run(access, shape) || is_packed(access, shape);
}

// Does the access need code that asks whether its hope holds?
bool asks_for_hope(const WideState& state, const Access& access, const ValueShape& shape, const ValueShape& hoped) {
  return shape.is_varying() && is_wide(access, hoped) && !state.judgement(access.address);
}

// What the address is to be taken for, unless it must be asked.
ValueShape judged_shape(const WideState& state, const llvm::Value* address, const ValueShape& shape) {
  if (!shape.is_varying()) return shape;
  return state.judgement(address).value_or(true) ? hoped_shape(state, address) : shape;
}

} // namespace

const llvm::Value* hopeful_run_address(const WideState& state, const llvm::Instruction& access) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  if ((!load && !store) || access.isAtomic()) return nullptr;
  const llvm::Value* address = load ? load->getPointerOperand() : store->getPointerOperand();
  llvm::Type* type = llvm_version::accessed_type(access);
  if (!state.divergence.hope(address) || type->isAggregateType()) return nullptr;
  return is_wide(Access(state, address, type, llvm_version::access_alignment(access)), hoped_shape(state, address))
             ? address
             : nullptr;
}

void widen_load(WideState& state, const llvm::LoadInst& load) {
  if (load.isAtomic()) return widen_atomic(state, load);
  ValueShape shape = state.divergence.shape(load.getPointerOperand());
  if (shape.kind == ValueShape::Unknown) throw NotVectorizable("a load from an undefined address");
  if (shape.is_uniform()) {
    ++state.report.uniform;
    return copy_once(state, load);
  }
  Access access(state, load.getPointerOperand(), load.getType(), load.getAlign());
  if (shape.same_in_part()) {
    ++state.report.uniform;
    Values bases;
    for (unsigned part = 0; part < state.parts(); ++part)
      bases.push_back(state.builder.CreateAlignedLoad(access.type, safe_base(state, access, part), access.alignment));
    return state.set_bases(&load, std::move(bases));
  }
  ValueShape hoped = judged_shape(state, access.address, shape);
  const bool wide = is_wide(access, hoped);
  ++(wide ? state.report.contiguous : state.report.gathers);
  if (state.judgement(access.address).value_or(true)) // once, where the block has two versions
    remark_access(state.report, load, access.address, shape.is_strided() ? shape.stride : 0, wide,
                  wide && shape.is_varying());
  auto with = [&](const ValueShape& form) {
    return [&state, &access, form] { return load_parts(state, access, form); };
  };
  state.set_vectors(&load, asks_for_hope(state, access, shape, hoped)
                               ? where_hope_holds(state, access.address, with(hoped), with(shape))
                               : with(hoped)());
}

void widen_store(WideState& state, const llvm::StoreInst& store) {
  if (store.isAtomic()) return widen_atomic(state, store);
  ValueShape shape = state.divergence.shape(store.getPointerOperand());
  if (shape.kind == ValueShape::Unknown) throw NotVectorizable("a store to an undefined address");
  const llvm::Value* value = store.getValueOperand();
  if (shape.is_uniform()) {
    ++state.report.uniform;
    llvm::Value* last = state.divergence.shape(value).is_uniform() ? state.scalar(value) : last_active(state, value);
    state.builder.CreateAlignedStore(last, state.scalar(store.getPointerOperand()), store.getAlign(),
                                     store.isVolatile());
    return;
  }
  Access access(state, store.getPointerOperand(), value->getType(), store.getAlign());
  if (shape.same_in_part() && state.divergence.shape(value).same_in_part()) {
    ++state.report.uniform;
    for (unsigned part = 0; part < state.parts(); ++part)
      state.builder.CreateAlignedStore(state.base(value, part), safe_base(state, access, part), access.alignment);
    return;
  }
  ValueShape hoped = judged_shape(state, access.address, shape);
  const bool wide = is_wide(access, hoped);
  ++(wide ? state.report.contiguous : state.report.gathers);
  if (state.judgement(access.address).value_or(true)) // once, where the block has two versions
    remark_access(state.report, store, access.address, shape.is_strided() ? shape.stride : 0, wide,
                  wide && shape.is_varying());
  auto with = [&](const ValueShape& form) {
    return [&state, &access, value, form] {
      store_parts(state, access, form, value);
      return Values();
    };
  };
  if (asks_for_hope(state, access, shape, hoped))
    where_hope_holds(state, access.address, with(hoped), with(shape));
  else
    with(hoped)();
}

// Each work-item has its own copy; a lane's copy (or first element) is one stride from the next.
void widen_alloca(WideState& state, const llvm::AllocaInst& memory) {
  if (memory.isArrayAllocation()) throw NotVectorizable("private memory of variable size");
  const uint64_t copy =
      llvm::alignTo(state.data_layout().getTypeAllocSize(memory.getAllocatedType()), memory.getAlign());
  auto* type = llvm::ArrayType::get(state.builder.getInt8Ty(), copy * state.shape.width());
  llvm::AllocaInst* all = state.variable(type, nullptr, memory.getName());
  all->setAlignment(std::max(memory.getAlign(), llvm::Align(64)));
  Values bases;
  for (unsigned part = 0; part < state.parts(); ++part)
    bases.push_back(
        state.builder.CreateConstInBoundsGEP1_64(state.builder.getInt8Ty(), all, copy * state.lanes() * part));
  state.set_bases(&memory, std::move(bases));
}

} // namespace zeroth::codegen
