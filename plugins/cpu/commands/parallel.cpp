#include "parallel.hpp"

namespace zeroth::cpu {

Step ParallelCommand::share(Worker& worker, Continuation& owner, std::uint32_t units, std::uint32_t grain,
                            unsigned helpers, bool at_once) {
  Executor& executor = worker.executor();
  owner_ = &owner;
  JobBoard::Pass pass;
  JobBoard::Ticket ticket;
  if (!executor.board().publish(*this, units, grain, pass, ticket, at_once)) {
    run_units(worker, 0, units);
    return Step::Done;
  }
  owner.job.store(std::uint64_t{ticket.slot} << 32 | ticket.epoch, std::memory_order_release);
  if (helpers) executor.call_for_help(helpers);
  if (at_once) executor.expect_all_threads();
  if (!executor.board().work(worker, pass)) return Step::Suspended; // another thread ends it, or has
  owner.job.store(Continuation::NoJob, std::memory_order_relaxed);
  return Step::Done;
}

void ParallelCommand::ended(Worker& worker) {
  owner_->job.store(Continuation::NoJob, std::memory_order_relaxed);
  owner_->command_done(&worker);
}

} // namespace zeroth::cpu
