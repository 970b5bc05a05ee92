// The info log of a driver, and its collection instances.
#pragma once

#include "../info_logs/log_book.hpp"
#include "../parts/arena.hpp"

#include <zeroth/device/sysman/info_log.hpp>
#include <zeroth/device/sysman/info_log_instance.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace zeroth::sysman {

// What metadata say of the device that a record is about; all zero where it is not known.
struct Origin {
  zes_pci_address_t address{};
  zes_uuid_t uuid{};
};

// The devices of one driver, by their PCI addresses (empty: the host).
using Origins = std::map<std::string, Origin>;

// A driver's log tells of its own devices, of the machine, and of what nobody's device is named for.
inline Interest interest_in(const Origins& devices) {
  return [&devices](const std::string& pci) { return pci.empty() || pci == NoDevice || devices.contains(pci); };
}

class InfoLogPart final : public device::sysman::InfoLog, public InArena {
public:
  // The devices are asked for by the first instance, and live as long as the process.
  InfoLogPart(const ze_handle_t& prefix, std::function<const Origins&()> devices);
  ze_result_t get_properties_ext(zes_info_log_ext_properties_t* properties) override;
  ze_result_t create_instance_ext(const char* name, zes_info_log_instance_ext_desc_t* desc,
                                  zes_info_log_instance_handle_t* instance) override;

private:
  std::function<const Origins&()> devices_;
};

// Deleted by delete_ext. Not used by two threads at once, says the specification.
class InfoLogInstancePart final : public device::sysman::InfoLogInstance, public InArena {
public:
  InfoLogInstancePart(const ze_handle_t& prefix, std::shared_ptr<Collection> collection, const Origins& devices);
  ze_result_t read_with_metadata_ext(uint64_t timeout, uint32_t* size, uint8_t* buffer, uint32_t* count,
                                     zes_info_log_metadata_ext_t* descriptors,
                                     zes_info_log_read_status_ext_t* status) override;
  ze_result_t peek_with_metadata_ext(uint64_t timeout, uint32_t* size, uint8_t* buffer, uint32_t* count,
                                     zes_info_log_metadata_ext_t* descriptors,
                                     zes_info_log_read_status_ext_t* status) override;
  ze_result_t delete_ext() override;

private:
  struct Room;
  ze_result_t serve(bool consume, uint64_t timeout, Room room, zes_info_log_read_status_ext_t* status);
  std::size_t copy_out(const Room& room, std::size_t& bytes);

  std::shared_ptr<Collection> collection_;
  const Origins& devices_;
};

} // namespace zeroth::sysman
