#include "launch.hpp"

#include "../execute/roomy_stack.hpp"
#include "../execute/slices.hpp"

#include <sdk/log.hpp>

#include <algorithm>
#include <new>

namespace zeroth::cpu {

namespace {

constexpr std::uint64_t WorthSharing = 4'000'000;  // picoseconds of the whole launch
constexpr std::uint64_t WorthPieces = 200'000'000; // where nobody can help
constexpr std::uint64_t WorthWaking = 40'000'000;  // per sleeping thread that is woken for it
constexpr std::uint64_t PieceGoal = 20'000'000;    // of one piece that a thread takes
constexpr std::uint64_t PieceLeast = 2'000'000;    // less is not worth the taking, as long as each thread has one
constexpr std::uint64_t MostUnits = std::uint64_t{1} << 30;
constexpr std::uint64_t SmallFrame = 16 << 10; // what a thread's own stack surely holds
constexpr std::uint64_t RoomForCalls = 64 << 10;

} // namespace

void CostEstimate::learn(std::uint64_t nanoseconds, std::uint64_t groups) {
  const std::uint64_t sample = std::max<std::uint64_t>(nanoseconds * 1000 / groups, 1);
  const std::uint64_t old = picoseconds();
  picoseconds_.store(old ? std::max<std::uint64_t>((old * 3 + sample) / 4, 1) : sample, std::memory_order_relaxed);
}

LaunchCommand::LaunchCommand(KernelCode& code, const zeroth_launch& launch, const LaunchShape& shape)
    : code_(code), launch_(launch), shape_(shape) {
  launch_.device_data = this;
}

Step LaunchCommand::start(Worker& worker, Continuation& owner) {
  if (shape_.groups == 0) return Step::Done;
  const std::uint64_t cost = code_.cost.picoseconds();
  const std::uint64_t worth = worker.executor().threads() > 1 ? WorthSharing : WorthPieces;
  if (shape_.groups > 1 && (cost == 0 || cost * shape_.groups >= worth)) return share_groups(worker, owner, cost);
  if (!code_.cost.wants_sample()) {
    run_groups(worker, 0, shape_.groups);
  } else {
    const std::uint64_t begin = now();
    run_groups(worker, 0, shape_.groups);
    code_.cost.learn(now() - begin, shape_.groups);
  }
  return Step::Done;
}

Step LaunchCommand::start_at_once(Worker& worker, Continuation& owner) {
  if (shape_.groups == 0) return Step::Done;
  const auto groups = static_cast<std::uint32_t>(shape_.groups);
  return share(worker, owner, groups, 1, groups - 1, groups > 1);
}

Step LaunchCommand::share_groups(Worker& worker, Continuation& owner, std::uint64_t cost) {
  const std::uint64_t threads = worker.executor().threads();
  unit_ = (shape_.groups + MostUnits - 1) / MostUnits;
  const auto units = static_cast<std::uint32_t>((shape_.groups + unit_ - 1) / unit_);
  const std::uint64_t all = (units + threads - 1) / threads, even = std::max<std::uint64_t>(all / 4, 1);
  const std::uint64_t least = cost ? std::min(PieceLeast / (cost * unit_), all) : 1;
  const std::uint64_t wanted = cost ? std::max<std::uint64_t>(PieceGoal / (cost * unit_), 1) : even;
  const std::uint64_t total = cost ? cost * shape_.groups : ~std::uint64_t{0};
  const std::uint64_t helpers = std::min({threads - 1, std::uint64_t{units} - 1, total / WorthWaking});
  return share(worker, owner, units, static_cast<std::uint32_t>(std::max(std::min(even, wanted), least)),
               static_cast<unsigned>(helpers));
}

void LaunchCommand::run_units(Worker& worker, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t from = first * unit_, to = std::min(end * unit_, shape_.groups);
  // The time of day costs as much as a short piece's fortieth part.
  if (code_.cost.picoseconds() * (to - from) < PieceGoal / 2 && !code_.cost.wants_sample())
    return run_groups(worker, from, to);
  const std::uint64_t begin = now();
  run_groups(worker, from, to);
  code_.cost.learn(now() - begin, to - from);
}

void LaunchShape::fit_to(const compiler::KernelInfo& info, std::uint64_t group_items) {
  code = &info;
  scratch_bytes = info.scratch_bytes(group_items);
  const bool fibers = info.engine == compiler::Engine::Fiber;
  slices = fibers ? static_cast<std::uint32_t>((group_items + info.width - 1) / info.width) : 0;
  const bool private_in_frame = info.engine != compiler::Engine::Region;
  const std::uint64_t frame = ((private_in_frame ? info.private_bytes : 0) + info.spill_bytes) * info.width;
  slice_stack = fibers ? frame : 0;
  roomy_stack =
      !fibers && frame > SmallFrame ? 2 * frame + RoomForCalls : 0; // functions that were not inlined have some
}

void LaunchCommand::run_groups(Worker& worker, std::uint64_t first, std::uint64_t end) {
  const compiler::KernelInfo* code = code_.slot->load();
  if (code != shape_.code) [[unlikely]]
    return run_exchanged(worker, *code, first, end);
  enter(worker, shape_, first, end);
}

void LaunchCommand::enter(Worker& worker, const LaunchShape& shape, std::uint64_t first, std::uint64_t end) {
  zeroth_worker& view = worker.view(shape.local_bytes, shape.scratch_bytes);
  if (shape.slices) worker.slices().reserve(shape.slices, shape.slice_stack);
  if (!shape.roomy_stack) [[likely]]
    return shape.code->entry(&launch_, &view, first, end);
  struct Call {
    const compiler::KernelInfo& code;
    const zeroth_launch& launch;
    zeroth_worker& view;
    std::uint64_t first, end;
    static void run(void* call) {
      const Call& self = *static_cast<Call*>(call);
      self.code.entry(&self.launch, &self.view, self.first, self.end);
    }
  } call{*shape.code, launch_, view, first, end};
  worker.roomy_stack().call(shape.roomy_stack, &Call::run, &call);
}

// Faster code has come since the launch was recorded; other threads may be running the same launch.
void LaunchCommand::run_exchanged(Worker& worker, const compiler::KernelInfo& code, std::uint64_t first,
                                  std::uint64_t end) {
  LaunchShape shape = shape_;
  const std::uint32_t* size = launch_.group_size;
  shape.fit_to(code, std::uint64_t{size[0]} * size[1] * size[2]);
  enter(worker, shape, first, end);
}

Step IndirectLaunchCommand::start(Worker& worker, Continuation& owner) {
  if (enabled_ && index_ >= *enabled_) return Step::Done;
  zeroth_launch launch = launch_;
  LaunchShape shape = shape_;
  std::copy_n(counts_, 3, launch.group_count);
  launch.work_dim = work_dimensions(launch.group_size, launch.group_count);
  std::uint64_t plane = 0;
  if (__builtin_mul_overflow(std::uint64_t{counts_[0]}, counts_[1], &plane) ||
      __builtin_mul_overflow(plane, counts_[2], &shape.groups) || shape.groups >> 63) {
    log(Level::Error, "an indirect launch of {} x {} x {} groups was left out", counts_[0], counts_[1], counts_[2]);
    return Step::Done;
  }
  auto* direct = new (launch_room_) LaunchCommand(code_, launch, shape);
  return direct->start(worker, owner);
}

} // namespace zeroth::cpu
