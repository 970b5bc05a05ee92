// Who uses a GPU, and which of its engines for how long: /proc/PID/fdinfo. Only processes of this user can be looked
// into without rights, so the activity is that of the clients that this user may see.
#include "gpu.hpp"

#include "../files/numbered_folder.hpp"
#include "../parse/fdinfo.hpp"
#include "../parts/clock.hpp"

#include <array>
#include <charconv>
#include <map>
#include <mutex>

namespace zeroth::sysman {
namespace {

struct Client {
  std::uint32_t process;
  parse::DrmClient usage;
};

// A descriptor of a graphics device. Recordings have no links: there its text decides.
bool may_be_client(std::string_view leads_to) { return leads_to.empty() || leads_to.starts_with("/dev/dri/"); }

// Each client once, however many of its files and processes show it. Where a descriptor leads is cheaper to ask than
// what it has used.
std::vector<Client> clients_of(const Root& root, const std::string& pci) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, parse::DrmClient> seen;
  for (NumberedFolder process(root, "/proc/"); process.next();) {
    for (NumberedFolder file = process.below("/fdinfo/"); file.next();) {
      std::array<char, 16> descriptor = {'/', 'f', 'd', '/'};
      std::to_chars(descriptor.data() + 4, descriptor.end(), file.number());
      if (!may_be_client(process.link(descriptor.data()))) continue;
      auto client = parse::drm_client(file.text());
      if (client && client->pci == pci) seen[{process.number(), client->id}] = std::move(*client);
    }
  }
  std::vector<Client> all;
  for (auto& [key, usage] : seen) all.push_back({key.first, std::move(usage)});
  return all;
}

struct EngineKind {
  std::string_view name;
  zes_engine_group_t group;
  zes_engine_type_flags_t flag;
};
// The names that amdgpu, i915, xe and others give to their engines.
constexpr std::array<EngineKind, 10> Kinds = {
    {{"gfx", ZES_ENGINE_GROUP_3D_SINGLE, ZES_ENGINE_TYPE_FLAG_3D},
     {"compute", ZES_ENGINE_GROUP_COMPUTE_SINGLE, ZES_ENGINE_TYPE_FLAG_COMPUTE},
     {"ccs", ZES_ENGINE_GROUP_COMPUTE_SINGLE, ZES_ENGINE_TYPE_FLAG_COMPUTE},
     {"render", ZES_ENGINE_GROUP_RENDER_SINGLE, ZES_ENGINE_TYPE_FLAG_RENDER},
     {"rcs", ZES_ENGINE_GROUP_RENDER_SINGLE, ZES_ENGINE_TYPE_FLAG_RENDER},
     {"dma", ZES_ENGINE_GROUP_COPY_SINGLE, ZES_ENGINE_TYPE_FLAG_DMA},
     {"copy", ZES_ENGINE_GROUP_COPY_SINGLE, ZES_ENGINE_TYPE_FLAG_DMA},
     {"dec", ZES_ENGINE_GROUP_MEDIA_DECODE_SINGLE, ZES_ENGINE_TYPE_FLAG_MEDIA},
     {"enc", ZES_ENGINE_GROUP_MEDIA_ENCODE_SINGLE, ZES_ENGINE_TYPE_FLAG_MEDIA},
     {"video", ZES_ENGINE_GROUP_MEDIA_CODEC_SINGLE, ZES_ENGINE_TYPE_FLAG_MEDIA}}};

const EngineKind* kind_of(std::string_view name) {
  for (const EngineKind& kind : Kinds)
    if (name == kind.name) return &kind;
  return nullptr;
}

void add(std::optional<std::uint64_t>& sum, std::optional<std::uint64_t> more) {
  if (more) sum = sum.value_or(0) + *more;
}

// Clients end and take their counts along; what they had used stays counted.
class Totals {
public:
  std::uint64_t microseconds(const std::vector<Client>& clients, const std::string& engine) {
    const std::lock_guard lock(mutex_);
    for (const Client& client : clients)
      for (const auto& [name, now] : client.usage.engines) {
        std::uint64_t& last = last_[{client.process, client.usage.id, name}];
        if (now > last) total_[name] += now - last;
        last = now;
      }
    return total_[engine] / 1000;
  }

private:
  std::mutex mutex_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::string>, std::uint64_t> last_;
  std::map<std::string, std::uint64_t> total_; // nanoseconds
};

} // namespace

// The engines are those that some client shows when the device is first looked into.
void find_drm_clients(const Gpu& gpu, Found& found) {
  if (!found.processes)
    found.processes = [root = gpu.root, pci = gpu.pci] {
      std::map<std::uint32_t, ProcessUse> uses;
      for (const Client& client : clients_of(root, pci)) {
        ProcessUse& use = uses[client.process];
        use.id = client.process;
        add(use.memory, client.usage.memory);
        add(use.shared, client.usage.shared);
        for (const auto& [name, time] : client.usage.engines)
          if (const EngineKind* kind = kind_of(name); kind && time > 0) use.engines |= kind->flag;
      }
      std::vector<ProcessUse> all;
      for (const auto& [id, use] : uses) all.push_back(use);
      return all;
    };
  std::map<std::string, zes_engine_group_t> engines;
  for (const Client& client : clients_of(gpu.root, gpu.pci))
    for (const auto& [name, time] : client.usage.engines)
      if (const EngineKind* kind = kind_of(name)) engines[name] = kind->group;
  const auto totals = std::make_shared<Totals>();
  for (const auto& [name, group] : engines)
    found.engines.push_back({group, [root = gpu.root, pci = gpu.pci, name = name, totals] {
                               const auto clients = clients_of(root, pci);
                               return zes_engine_stats_t{totals->microseconds(clients, name), microseconds()};
                             }});
}

} // namespace zeroth::sysman
