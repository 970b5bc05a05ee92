// fork(): the child inherits memory but no thread but the one that forked. No lock of ours may stay held by a thread
// that is not there, and no handle of the parent may reach a plugin whose threads are gone.
//
// Lock order, outermost first: discovery (registry/session.hpp), identifiers (identifiers.hpp), teardown callbacks
// (teardown.hpp), tracers (layers/tracers.hpp), wrappers (registry/wrap.hpp). They are taken in this order before the
// fork.
#include <pthread.h>

#include <entry/core.hpp>
#include <entry/identifiers.hpp>
#include <entry/teardown.hpp>
#include <layers/tracers.hpp>
#include <registry/wrap.hpp>

namespace {

using namespace zeroth;

void before_fork() {
  entry::session().before_fork();
  entry::identifiers().lock_for_fork();
  entry::teardown_callbacks().lock_for_fork();
  layers::tracers().lock_for_fork();
  registry::lock_wrappers();
}

void release() {
  registry::unlock_wrappers();
  layers::tracers().unlock_after_fork();
  entry::teardown_callbacks().unlock_after_fork();
  entry::identifiers().unlock_after_fork();
}

void after_fork_in_parent() {
  release();
  entry::session().after_fork_in_parent();
}

void after_fork_in_child() {
  entry::identifiers().clear();
  release();
  entry::session().after_fork_in_child();
}

[[gnu::constructor]] void watch_forks() { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

} // namespace
