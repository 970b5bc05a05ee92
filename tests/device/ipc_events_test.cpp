// Events and semaphores across processes (case 23: the CPU's side of both).
#include "fixture.hpp"
#include "peer.hpp"

#include <cpu/share/semaphore_file.hpp>

#include <atomic>
#include <fcntl.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace device_tests {
namespace {

using zeroth::cpu::SemaphoreFile;

ze_event_handle_t event_of(ze_event_pool_handle_t pool, std::uint32_t index) {
  const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, 0, 0};
  ze_event_handle_t event = nullptr;
  EXPECT_OK(zeEventCreate(pool, &desc, &event));
  return event;
}

TEST(IpcEvents, AnEventOfASharedPoolIsOneForBothProcesses) {
  const Device& d = Device::get();
  const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                  ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC, 10};
  ze_event_pool_handle_t pool = nullptr;
  ASSERT_OK(zeEventPoolCreate(d.context, &desc, 0, nullptr, &pool));
  auto go = event_of(pool, 0), done = event_of(pool, 1);
  Array<std::uint64_t> word(1);
  ze_ipc_event_pool_handle_t pool_handle;
  ze_ipc_mem_handle_t memory;
  ASSERT_OK(zeEventPoolGetIpcHandle(pool, &pool_handle));
  ASSERT_OK(zeMemGetIpcHandle(d.context, word.data(), &memory));
  Peer peer({"pool", as_text(pool_handle), as_text(memory)});
  for (std::uint64_t round = 0; round < 100; ++round) {
    EXPECT_EQ(zeEventQueryStatus(done), ZE_RESULT_NOT_READY);
    if (round % 3) {
      ASSERT_OK(zeEventHostSignal(go));
    } else {
      ASSERT_OK(zeCommandListAppendSignalEvent(shared_list(), go));
    }
    if (round % 5) {
      ASSERT_OK(zeEventHostSynchronize(done, UINT64_MAX));
    } else {
      ASSERT_OK(zeCommandListAppendWaitOnEvents(shared_list(), 1, &done));
      ASSERT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
    }
    ASSERT_EQ(word[0], round * 2 + 1);
    ASSERT_OK(zeEventHostReset(done));
  }
  EXPECT_EQ(peer.end(), 0);
  EXPECT_OK(zeEventPoolPutIpcHandle(d.context, pool_handle));
  ze_event_pool_handle_t none = nullptr;
  EXPECT_EQ(zeEventPoolOpenIpcHandle(d.context, pool_handle, &none), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeEventPoolCloseIpcHandle(pool), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "not opened";
  EXPECT_OK(zeEventDestroy(go));
  EXPECT_OK(zeEventDestroy(done));
  EXPECT_OK(zeEventPoolDestroy(pool));
}

ze_event_pool_handle_t shared_pool(std::uint32_t count) {
  const ze_event_pool_desc_t desc{
      ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
      ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, count};
  ze_event_pool_handle_t pool = nullptr;
  EXPECT_OK(zeEventPoolCreate(Device::get().context, &desc, 0, nullptr, &pool));
  return pool;
}

TEST(IpcEvents, AnEventThatIsMadeInThePlaceOfASignalledOneIsNotSignalled) {
  const auto pool = shared_pool(2);
  for (int round = 0; round < 3; ++round) {
    auto event = event_of(pool, 1);
    EXPECT_EQ(zeEventQueryStatus(event), ZE_RESULT_NOT_READY) << round;
    if (round % 2) {
      ASSERT_OK(zeEventHostSignal(event));
    } else {
      ASSERT_OK(zeCommandListAppendSignalEvent(shared_list(), event));
    }
    ASSERT_OK(zeEventHostSynchronize(event, UINT64_MAX));
    EXPECT_OK(zeEventDestroy(event));
  }
  EXPECT_OK(zeEventPoolDestroy(pool));
}

// The pool is opened in the process that made it: the events of one place are still one.
TEST(IpcEvents, ASignalThatComesBeforeTheEventIsMadeHereIsKept) {
  const Device& d = Device::get();
  const auto pool = shared_pool(1);
  ze_ipc_event_pool_handle_t handle;
  ASSERT_OK(zeEventPoolGetIpcHandle(pool, &handle));
  ze_event_pool_handle_t opened = nullptr;
  ASSERT_OK(zeEventPoolOpenIpcHandle(d.context, handle, &opened));
  auto there = event_of(opened, 0);
  ASSERT_OK(zeEventHostSignal(there));
  auto here = event_of(pool, 0);
  EXPECT_OK(zeEventQueryStatus(here)) << "signalled by those who opened the pool";
  EXPECT_OK(zeEventDestroy(there));
  there = event_of(opened, 0);
  EXPECT_OK(zeEventQueryStatus(there)) << "they join in, whatever they had here before";
  EXPECT_OK(zeEventDestroy(here));
  EXPECT_OK(zeEventQueryStatus(there)) << "theirs is there until the next is made";
  ASSERT_OK(zeEventHostSignal(there));
  here = event_of(pool, 0);
  EXPECT_OK(zeEventQueryStatus(here)) << "signalled since the last one went";
  EXPECT_OK(zeEventDestroy(here));
  here = event_of(pool, 0);
  EXPECT_EQ(zeEventQueryStatus(here), ZE_RESULT_NOT_READY);
  EXPECT_OK(zeEventDestroy(there));
  EXPECT_OK(zeEventDestroy(here));
  EXPECT_OK(zeEventPoolCloseIpcHandle(opened));
  EXPECT_OK(zeEventPoolPutIpcHandle(d.context, handle));
  EXPECT_OK(zeEventPoolDestroy(pool));
}

TEST(IpcEvents, APoolForOneProcessHasNoHandle) {
  const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  ze_event_pool_handle_t pool = nullptr;
  ASSERT_OK(zeEventPoolCreate(Device::get().context, &desc, 0, nullptr, &pool));
  ze_ipc_event_pool_handle_t handle;
  EXPECT_EQ(zeEventPoolGetIpcHandle(pool, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(zeEventPoolDestroy(pool));
}

TEST(IpcEvents, CounterBasedEventsAreWaitedForAndSignalledElsewhere) {
  const Device& d = Device::get();
  constexpr auto Ipc = ZE_EVENT_COUNTER_BASED_FLAG_IPC, Both = ZE_EVENT_COUNTER_BASED_FLAG_IPC_BIDIRECTIONAL;
  for (ze_event_counter_based_flags_t flags : {+Ipc, Ipc | Both}) {
    const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr,
                                             flags | ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE, 0, 0};
    const ze_event_pool_desc_t pool_desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 1};
    ze_event_pool_handle_t pool = nullptr;
    ASSERT_OK(zeEventPoolCreate(d.context, &pool_desc, 0, nullptr, &pool));
    auto gate = event_of(pool, 0);
    ze_event_handle_t counter = nullptr;
    ASSERT_OK(zeEventCounterBasedCreate(d.context, d.device, &desc, &counter));
    Array<std::uint64_t> word(1);
    ze_ipc_mem_handle_t memory;
    ASSERT_OK(zeMemGetIpcHandle(d.context, word.data(), &memory));
    ze_ipc_event_counter_based_handle_t handle;
    EXPECT_EQ(zeEventCounterBasedGetIpcHandle(counter, &handle),
              flags & Both ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT)
        << "no state yet";
    const std::uint64_t seven = 7;
    ASSERT_OK(zeCommandListAppendWaitOnEvents(shared_list(), 1, &gate));
    ASSERT_OK(zeCommandListAppendMemoryFill(shared_list(), word.data(), &seven, 8, 8, counter, 0, nullptr));
    ASSERT_OK(zeEventCounterBasedGetIpcHandle(counter, &handle));
    Peer peer({"counter", as_text(handle), as_text(memory)});
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // most likely it waits by now
    ASSERT_OK(zeEventHostSignal(gate));
    EXPECT_EQ(peer.end(), 0);
    EXPECT_OK(zeEventHostSynchronize(counter, UINT64_MAX));
    EXPECT_EQ(word[0], flags & Both ? 9u : 7u);
    EXPECT_OK(zeEventDestroy(counter));
    EXPECT_OK(zeEventDestroy(gate));
    EXPECT_OK(zeEventPoolDestroy(pool));
  }
}

struct Semaphore {
  SemaphoreFile file;
  ze_external_semaphore_ext_handle_t imported = nullptr;

  explicit Semaphore(SemaphoreFile::Kind kind, std::uint64_t initial = 0) : file(kind, initial) {
    EXPECT_OK(import(kind == SemaphoreFile::Kind::Timeline ? ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD
                                                           : ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD,
                     file.file(), &imported));
  }
  ~Semaphore() { EXPECT_OK(zeDeviceReleaseExternalSemaphoreExt(imported)); }

  static ze_result_t import(ze_external_semaphore_ext_flags_t type, int descriptor,
                            ze_external_semaphore_ext_handle_t* handle) {
    const ze_external_semaphore_fd_ext_desc_t source{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC, nullptr,
                                                     descriptor};
    const ze_external_semaphore_ext_desc_t desc{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC, &source, type};
    return zeDeviceImportExternalSemaphoreExt(Device::get().device, &desc, handle);
  }
  ze_result_t append_wait(std::uint64_t value, ze_event_handle_t signal = nullptr) {
    ze_external_semaphore_wait_params_ext_t wait{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT, nullptr, value};
    return zeCommandListAppendWaitExternalSemaphoreExt(shared_list(), 1, &imported, &wait, signal, 0, nullptr);
  }
  ze_result_t append_signal(std::uint64_t value) {
    ze_external_semaphore_signal_params_ext_t signal{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_EXT, nullptr,
                                                     value};
    return zeCommandListAppendSignalExternalSemaphoreExt(shared_list(), 1, &imported, &signal, nullptr, 0, nullptr);
  }
};

ze_result_t drain(std::uint64_t timeout = UINT64_MAX) { return zeCommandListHostSynchronize(shared_list(), timeout); }

TEST(ExternalSemaphores, case_23_TimelineInBothDirections) {
  Semaphore one(SemaphoreFile::Kind::Timeline, 3);
  ASSERT_OK(one.append_wait(2));
  EXPECT_OK(drain()) << "below the value";
  ASSERT_OK(one.append_wait(5));
  EXPECT_EQ(drain(20'000'000), ZE_RESULT_NOT_READY);
  EXPECT_EQ(zeDeviceReleaseExternalSemaphoreExt(one.imported), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  one.file.signal(5);
  EXPECT_OK(drain());
  ASSERT_OK(one.append_signal(8));
  EXPECT_TRUE(one.file.wait(8, UINT64_MAX));
  ASSERT_OK(one.append_signal(6));
  EXPECT_OK(drain());
  EXPECT_EQ(one.file.value(), 8u) << "it only grows";
}

TEST(ExternalSemaphores, case_23_BinaryIsTakenOnce) {
  Semaphore one(SemaphoreFile::Kind::Binary);
  ASSERT_OK(one.append_wait(0));
  ASSERT_OK(one.append_wait(0));
  one.file.signal(0);
  EXPECT_EQ(drain(50'000'000), ZE_RESULT_NOT_READY);
  one.file.signal(0);
  EXPECT_OK(drain());
  ASSERT_OK(one.append_signal(0));
  EXPECT_TRUE(one.file.wait(0, UINT64_MAX));
  EXPECT_FALSE(one.file.wait(0, 0));
}

TEST(ExternalSemaphores, case_23_BothDirectionsAcrossProcesses) {
  for (auto kind : {SemaphoreFile::Kind::Timeline, SemaphoreFile::Kind::Binary}) {
    Semaphore go(kind), done(kind);
    const int inherited[2] = {fcntl(go.file.file(), F_DUPFD, 100), fcntl(done.file.file(), F_DUPFD, 100)};
    Peer peer({"semaphores", std::to_string(inherited[0]), std::to_string(inherited[1])});
    for (int one : inherited) close(one);
    for (std::uint64_t round = 1; round <= 50; ++round) {
      ASSERT_OK(go.append_signal(round));
      ASSERT_OK(done.append_wait(round));
      if (round % 4 == 0) {
        ASSERT_OK(drain());
      }
    }
    ASSERT_OK(drain());
    EXPECT_EQ(peer.end(), 0);
  }
}

TEST(ExternalSemaphores, SeveralThreadsUseOneListAtOnce) {
  Semaphore one(SemaphoreFile::Kind::Timeline);
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 1; i <= 500; ++i) {
        EXPECT_OK(t % 2 ? one.append_signal(i) : one.append_wait(0));
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_OK(drain());
  EXPECT_EQ(one.file.value(), 500u);
}

TEST(ExternalSemaphores, WhatCannotServeIsRefused) {
  const Device& d = Device::get();
  ze_external_semaphore_ext_handle_t none = nullptr;
  EXPECT_EQ(Semaphore::import(ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD, 0, &none), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  SemaphoreFile binary(SemaphoreFile::Kind::Binary, 0);
  EXPECT_EQ(Semaphore::import(ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD, binary.file(), &none),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(Semaphore::import(ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_D3D12_FENCE, binary.file(), &none),
            ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  Semaphore one(SemaphoreFile::Kind::Timeline);
  const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  ze_command_list_handle_t regular = nullptr;
  ASSERT_OK(zeCommandListCreate(d.context, d.device, &desc, &regular));
  ze_external_semaphore_wait_params_ext_t wait{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT, nullptr, 1};
  EXPECT_EQ(zeCommandListAppendWaitExternalSemaphoreExt(regular, 1, &one.imported, &wait, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT)
      << "immediate lists only";
  EXPECT_OK(zeCommandListDestroy(regular));
}

TEST(ExternalSemaphores, AWriterThatDiesBeforeItsWakeIsSeenAllTheSame) {
  Semaphore semaphore(SemaphoreFile::Kind::Timeline);
  ze_external_semaphore_wait_params_ext_t wait{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT, nullptr, 5};
  ASSERT_OK(
      zeCommandListAppendWaitExternalSemaphoreExt(shared_list(), 1, &semaphore.imported, &wait, nullptr, 0, nullptr));
  EXPECT_EQ(zeCommandListHostSynchronize(shared_list(), 5'000'000), ZE_RESULT_NOT_READY); // it sleeps by now
  semaphore.file.word().store(5);
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
}

// Whoever has a semaphore must not be ended by another who shortens its file, or has it for reading alone.
TEST(ExternalSemaphores, FilesThatCouldBeTakenAwayAreNone) {
  const SemaphoreFile sealed(SemaphoreFile::Kind::Binary, 0);
  const std::string path = "/proc/self/fd/" + std::to_string(sealed.file());
  char page[4096];
  ASSERT_EQ(pread(sealed.file(), page, sizeof page, 0), 4096);
  const int open_to_all = memfd_create("semaphore", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const int to_read = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(pwrite(open_to_all, page, sizeof page, 0), 4096);
  ze_external_semaphore_ext_handle_t made = nullptr;
  for (int file : {open_to_all, to_read})
    EXPECT_EQ(Semaphore::import(ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD, file, &made),
              ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(fcntl(open_to_all, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  EXPECT_OK(Semaphore::import(ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD, open_to_all, &made));
  EXPECT_OK(zeDeviceReleaseExternalSemaphoreExt(made));
  close(open_to_all);
  close(to_read);
}

} // namespace
} // namespace device_tests
