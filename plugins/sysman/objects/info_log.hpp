// The info log of a driver, and its collection instances.
#pragma once

#include "../info_logs/log_book.hpp"
#include "../parts/arena.hpp"

#include <zeroth/device/sysman/info_log.hpp>
#include <zeroth/device/sysman/info_log_instance.hpp>

#include <functional>
#include <memory>

namespace zeroth::sysman {

// Which device a record is about, from its PCI address (empty: the host).
struct Origin {
  zes_pci_address_t address{};
  zes_uuid_t uuid{};
};
using FindOrigin = std::function<Origin(const std::string& pci)>;

class InfoLogPart final : public device::sysman::InfoLog, public InArena {
public:
  InfoLogPart(const ze_handle_t& prefix, FindOrigin origin);
  ze_result_t get_properties_ext(zes_info_log_ext_properties_t* properties) override;
  ze_result_t create_instance_ext(const char* name, zes_info_log_instance_ext_desc_t* desc,
                                  zes_info_log_instance_handle_t* instance) override;

private:
  FindOrigin origin_;
};

// Deleted by delete_ext. Not used by two threads at once, says the specification.
class InfoLogInstancePart final : public device::sysman::InfoLogInstance, public InArena {
public:
  InfoLogInstancePart(const ze_handle_t& prefix, std::shared_ptr<Collection> collection, FindOrigin origin);
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
  FindOrigin origin_;
};

} // namespace zeroth::sysman
