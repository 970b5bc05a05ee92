// What the parts of the widener share: the analyses, the function being made, and the wide form of each value.
#pragma once

#include "../codegen.hpp"
#include "divergence.hpp"

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <optional>

namespace zeroth::codegen {

using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder>;
using Values = llvm::SmallVector<llvm::Value*, 4>;

// One vector of lanes per part; empty: all lanes.
using Mask = Values;

// The wide form of values. A uniform value is one scalar; a strided one is a scalar per part (its first lane); a
// varying one is a vector of lanes per part and component (components: those of an OpenCL vector or a small struct).
class WideState {
public:
  WideState(const FunctionLayout& layout, const Divergence& divergence, const Shape& shape, KernelReport& report,
            llvm::Function& target);

  const FunctionLayout& layout;
  const Divergence& divergence;
  const Shape shape;
  KernelReport& report;
  llvm::Function& target;
  Builder builder;
  Mask mask;            // of the block being widened
  Mask existing;        // what the slice starts with: in each part the first work-items, if any
  SmallerSlice smaller; // for slices that turn out not to be full
  // Set by the entry: position of each part, and for Cut::MaskedLinear the local ids as vectors.
  std::vector<Position> positions;
  std::vector<std::array<llvm::Value*, 3>> linear_ids;
  std::vector<llvm::Value*> linear_bases; // local linear id of each part's first lane

  unsigned lanes() const { return shape.lanes; }
  unsigned parts() const { return shape.parts; }
  bool is_full() const { return mask.empty(); }
  // Is a part's first work-item active where any is?
  bool is_led_by_first() const { return mask == existing; }
  const llvm::DataLayout& data_layout() const { return target.getParent()->getDataLayout(); }

  static unsigned components(llvm::Type* type);
  static llvm::Type* component_type(llvm::Type* type, unsigned component);
  llvm::FixedVectorType* vector_type(llvm::Type* element) const { return llvm::FixedVectorType::get(element, lanes()); }

  // Reading. `scalar` only of uniform values, `base` of uniform and strided ones, `vector` of all.
  llvm::Value* scalar(const llvm::Value* value);
  llvm::Value* base(const llvm::Value* value, unsigned part);
  llvm::Value* vector(const llvm::Value* value, unsigned part, unsigned component = 0);
  llvm::Value* lane(const llvm::Value* value, unsigned part, llvm::Value* lane); // the whole value of one work-item

  // Writing, by the shape that the analysis gave.
  void set_scalar(const llvm::Value* value, llvm::Value* wide) { scalars_[value] = wide; }
  void set_bases(const llvm::Value* value, Values bases) { bases_[value] = std::move(bases); }
  void set_vectors(const llvm::Value* value, Values vectors) { vectors_[value] = std::move(vectors); } // part-major

  // The hopeful form of a varying value (see Divergence::hope): its first lane, right for all lanes where `holds`.
  struct Hope {
    llvm::Value* base = nullptr;
    llvm::Value* holds = nullptr;
  };
  Hope hopeful(const llvm::Value* value, unsigned part);
  void set_hopes(const llvm::Value* value, llvm::SmallVector<Hope, 4> hopes) { hopes_[value] = std::move(hopes); }
  // Code at the insertion point runs only where the hope of `address` holds (or only where it may not).
  void judge_hope(const llvm::Value* address, bool holds) { judgements_[address] = holds; }
  void forget_judgement(const llvm::Value* address) { judgements_.erase(address); }
  std::optional<bool> judgement(const llvm::Value* address) const;

  // All that is known of one value, to be joined where two versions of the code that makes it meet.
  struct Form {
    Values scalars, bases, vectors;
    llvm::SmallVector<Hope, 4> hopes;
  };
  Form form(const llvm::Value* value) const;
  void join_forms(const llvm::Value* value, const Form& a, llvm::BasicBlock* from_a, const Form& b,
                  llvm::BasicBlock* from_b);

  // Small helpers on lanes.
  llvm::Value* splat(llvm::Value* scalar) { return builder.CreateVectorSplat(lanes(), scalar); }
  llvm::Constant* steps(llvm::IntegerType* type, int64_t stride) const;
  llvm::Value* spread(llvm::Value* base, int64_t stride); // base + stride * lane, as vector
  llvm::Value* any(llvm::Value* mask);                    // i1
  llvm::Value* any_of(const Mask& mask);
  llvm::Value* part_mask(unsigned part) {
    return is_full() ? llvm::Constant::getAllOnesValue(vector_type(builder.getInt1Ty())) : mask[part];
  }
  llvm::AllocaInst* variable(llvm::Type* type, llvm::Constant* initial, const llvm::Twine& name);
  llvm::Value* scratch_address(llvm::Type* type, unsigned address_space); // where inactive parts read and write

  // Calls `body` once per active lane of `part` (in a loop) with the lane number; gathers what it returns into vectors
  // of `types`. Where all are active and the body is one cheap instruction, there is no loop.
  Values for_each_lane(unsigned part, llvm::ArrayRef<llvm::Type*> types,
                       const std::function<Values(llvm::Value*)>& body, bool is_cheap = false);

private:
  Values for_all_lanes(llvm::ArrayRef<llvm::Type*> types, const std::function<Values(llvm::Value*)>& body);
  llvm::Value* component_of(llvm::Value* scalar, unsigned component);

  llvm::DenseMap<const llvm::Value*, llvm::Value*> scalars_;
  llvm::DenseMap<const llvm::Value*, Values> bases_, vectors_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<Hope, 4>> hopes_;
  llvm::DenseMap<const llvm::Value*, bool> judgements_;
  llvm::DenseMap<llvm::Type*, llvm::AllocaInst*> scratch_;
};

} // namespace zeroth::codegen
