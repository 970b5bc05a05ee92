// A program that ends while it still uses the library (case 2). Its argument is a word per circumstance, in any order:
//   static    a static object's destructor destroys a module and an event and then asks for more
//   thread    a thread still queries the event when the process ends
//   atexit    a function of atexit does what the destructor does
//   close     the library, opened by name, is closed before the end, with the thread still inside
//   callback  a teardown callback is registered
// The library is opened by name, as plugins of programs do, or found linked when it is.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <utility>

#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>

namespace {

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "exit_program: %s\n", what);
  _Exit(9);
}

void* library = nullptr;

template <class Function> Function* by_name(const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}
#define CALL(function) by_name<decltype(::function)>(#function)

struct Objects {
  ze_context_handle_t context = nullptr;
  ze_event_pool_handle_t pool = nullptr;
  ze_module_handle_t module = nullptr;
  ze_event_handle_t event = nullptr;

  // At process exit each call must answer with a defined code: it worked, or the library says that it is over.
  void destroy() {
    if (context == nullptr || std::exchange(destroyed, true)) return;
    const auto fine = [](ze_result_t result) {
      return result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_UNINITIALIZED;
    };
    if (module != nullptr) check(fine(destroy_module(module)), "zeModuleDestroy");
    if (!thread_uses_event) {
      check(fine(destroy_event(event)), "zeEventDestroy");
      check(fine(destroy_pool(pool)), "zeEventPoolDestroy");
      check(fine(destroy_context(context)), "zeContextDestroy");
    }
    check(init(0) == ZE_RESULT_SUCCESS, "zeInit at exit");
  }
  decltype(&zeModuleDestroy) destroy_module = nullptr;
  decltype(&zeEventDestroy) destroy_event = nullptr;
  decltype(&zeEventPoolDestroy) destroy_pool = nullptr;
  decltype(&zeContextDestroy) destroy_context = nullptr;
  decltype(&zeInit) init = nullptr;
  bool thread_uses_event = false;
  bool destroyed = false;
};

struct Static : Objects {
  ~Static() { destroy(); }
};

Static static_objects;
Objects exit_objects;

void make(Objects& objects) {
  uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t& context = objects.context;
  ze_event_pool_handle_t& pool = objects.pool;
  check(CALL(zeInit)(0) == ZE_RESULT_SUCCESS, "zeInit");
  check(CALL(zeDriverGet)(&count, &driver) == ZE_RESULT_SUCCESS, "zeDriverGet");
  check(CALL(zeDeviceGet)(driver, &count, &device) == ZE_RESULT_SUCCESS, "zeDeviceGet");
  const ze_context_desc_t context_desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  check(CALL(zeContextCreate)(driver, &context_desc, &context) == ZE_RESULT_SUCCESS, "zeContextCreate");
  const ze_event_pool_desc_t pool_desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 1};
  check(CALL(zeEventPoolCreate)(context, &pool_desc, 0, nullptr, &pool) == ZE_RESULT_SUCCESS, "zeEventPoolCreate");
  const ze_event_desc_t event_desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  check(CALL(zeEventCreate)(pool, &event_desc, &objects.event) == ZE_RESULT_SUCCESS, "zeEventCreate");
  static const uint8_t code[4] = {3, 2, 0x23, 7};
  const ze_module_desc_t module_desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, sizeof(code), code, nullptr, nullptr};
  // A real device refuses this code; then there is no module to destroy.
  if (CALL(zeModuleCreate)(context, device, &module_desc, &objects.module, nullptr) != ZE_RESULT_SUCCESS)
    objects.module = nullptr;
  objects.destroy_module = CALL(zeModuleDestroy);
  objects.destroy_event = CALL(zeEventDestroy);
  objects.destroy_pool = CALL(zeEventPoolDestroy);
  objects.destroy_context = CALL(zeContextDestroy);
  objects.init = CALL(zeInit);
}

void query_forever(ze_event_handle_t event, decltype(&zeEventQueryStatus) query, std::atomic<bool>& started) {
  while (true) {
    const ze_result_t result = query(event);
    check(result == ZE_RESULT_NOT_READY || result == ZE_RESULT_ERROR_UNINITIALIZED, "zeEventQueryStatus");
    started.store(true);
  }
}

void start_thread(const Objects& objects) {
  static std::atomic<bool>& started = *new std::atomic<bool>(false);
  std::thread(query_forever, objects.event, CALL(zeEventQueryStatus), std::ref(started)).detach();
  while (!started.load()) std::this_thread::yield();
}

} // namespace

int main(int, char** arguments) {
  const char* words = arguments[1];
  const auto has = [&](const char* word) { return std::strstr(words, word) != nullptr; };
  library = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
  check(library != nullptr, "dlopen");
  Objects& objects = has("static") ? static_objects : exit_objects;
  make(objects);
  objects.thread_uses_event = has("thread");
  if (has("thread")) start_thread(objects);
  if (has("atexit")) std::atexit([] { exit_objects.destroy(); });
  if (has("callback")) {
    static zel_application_teardown_callback_t forget = nullptr;
    static uint32_t index = 0;
    CALL(zelRegisterTeardownCallback)([] {}, &forget, &index);
  }
  if (has("close")) check(dlclose(library) == 0, "dlclose");
  return 0;
}
