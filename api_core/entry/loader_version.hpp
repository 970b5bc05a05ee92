// Who we say we are: the version of the loader that our exports and headers stand for. Adapters of SYCL compare it.
#pragma once

#include <level_zero/loader/ze_loader.h>

namespace zeroth::entry {

inline constexpr zel_component_version_t LoaderVersion{"loader", ZE_API_VERSION_CURRENT, {1, 32, 0}};

} // namespace zeroth::entry
