#include "info_log.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <cstring>

namespace zeroth::sysman {
namespace {

constexpr uint32_t DefaultKilobytes = 64, LeastKilobytes = 1, MostKilobytes = 64 << 10;

uint32_t kilobytes(const uint32_t* wanted) {
  if (wanted == nullptr || *wanted == 0) return DefaultKilobytes;
  return std::clamp(*wanted, LeastKilobytes, MostKilobytes);
}

} // namespace

InfoLogPart::InfoLogPart(const ze_handle_t& prefix, std::function<const Origins&()> devices)
    : devices_(std::move(devices)) {
  static_cast<ze_handle_t&>(*this) = prefix;
}

ze_result_t InfoLogPart::get_properties_ext(zes_info_log_ext_properties_t* properties) {
  properties->infoLogType = ZES_INFO_LOG_TYPE_EXT_DEVICE;
  properties->infoLogFormat = ZES_INFO_LOG_FORMAT_EXT_CPER;
  properties->isNamedInstanceSupported = properties->isPeekDataSupported = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t InfoLogPart::create_instance_ext(const char* name, zes_info_log_instance_ext_desc_t* desc,
                                             zes_info_log_instance_handle_t* instance) {
  const uint32_t size = kilobytes(desc->pBufferSizeInKb);
  const Origins& devices = devices_();
  auto collection = LogBook::instance().start(name, std::size_t{size} << 10, interest_in(devices));
  *instance = to_handle(new InfoLogInstancePart(*this, std::move(collection), devices));
  if (desc->pBufferSizeInKb) *desc->pBufferSizeInKb = size;
  return ZE_RESULT_SUCCESS;
}

InfoLogInstancePart::InfoLogInstancePart(const ze_handle_t& prefix, std::shared_ptr<Collection> collection,
                                         const Origins& devices)
    : collection_(std::move(collection)), devices_(devices) {
  static_cast<ze_handle_t&>(*this) = prefix;
}

// What the caller has room for; sizes are in and out.
struct InfoLogInstancePart::Room {
  uint32_t* size;
  uint8_t* buffer;
  uint32_t* count;
  zes_info_log_metadata_ext_t* descriptors;
  bool is_query() const { return *size == 0 || *count == 0; }
};

// Writes as many records as fit, in order; how many, and of how many bytes.
std::size_t InfoLogInstancePart::copy_out(const Room& room, std::size_t& bytes) {
  std::size_t number = 0;
  for (const Collection::Kept& kept : collection_->records) {
    if (number == *room.count || bytes + kept.bytes.size() > *room.size) break;
    std::memcpy(room.buffer + bytes, kept.bytes.data(), kept.bytes.size());
    zes_info_log_metadata_ext_t& about = room.descriptors[number];
    const auto known = devices_.find(kept.record.pci);
    const Origin origin = known == devices_.end() ? Origin{} : known->second;
    about.address = origin.address;
    about.uuid = origin.uuid;
    about.timestamp = kept.record.nanoseconds;
    about.lengthOfData = static_cast<uint32_t>(kept.bytes.size());
    about.offset = static_cast<uint32_t>(bytes);
    about.recordType = kept.record.type;
    bytes += kept.bytes.size();
    ++number;
  }
  return number;
}

// A timeout of zero means: return without searching. The search itself takes no time worth bounding.
ze_result_t InfoLogInstancePart::serve(bool consume, uint64_t timeout, Room room,
                                       zes_info_log_read_status_ext_t* status) {
  const bool query = room.is_query();
  if (!query && (room.buffer == nullptr || room.descriptors == nullptr))
    throw Error(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "sizes were given, but no room for records");
  if (timeout > 0) LogBook::instance().collect();
  return LogBook::instance().look([&] {
    auto& records = collection_->records;
    std::size_t number = 0, bytes = 0;
    if (timeout > 0 && query) {
      number = records.size(), bytes = collection_->bytes;
    } else if (timeout > 0) {
      number = copy_out(room, bytes);
    }
    const bool taken = consume && !query;
    if (taken) {
      records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(number));
      collection_->bytes -= bytes;
    }
    *room.count = static_cast<uint32_t>(number);
    *room.size = static_cast<uint32_t>(bytes);
    const uint64_t dropped = timeout > 0 ? std::exchange(collection_->dropped, 0) : 0;
    if (status) {
      status->droppedRecordCount = static_cast<int64_t>(dropped);
      status->consumedDataSize = taken ? bytes : 0;
      status->hasDataToRead = taken ? !records.empty() : records.size() > (query ? 0 : number);
    }
    return dropped > 0 ? ZE_RESULT_WARNING_DROPPED_DATA : ZE_RESULT_SUCCESS;
  });
}

ze_result_t InfoLogInstancePart::read_with_metadata_ext(uint64_t timeout, uint32_t* size, uint8_t* buffer,
                                                        uint32_t* count, zes_info_log_metadata_ext_t* descriptors,
                                                        zes_info_log_read_status_ext_t* status) {
  return serve(true, timeout, {size, buffer, count, descriptors}, status);
}

ze_result_t InfoLogInstancePart::peek_with_metadata_ext(uint64_t timeout, uint32_t* size, uint8_t* buffer,
                                                        uint32_t* count, zes_info_log_metadata_ext_t* descriptors,
                                                        zes_info_log_read_status_ext_t* status) {
  return serve(false, timeout, {size, buffer, count, descriptors}, status);
}

ze_result_t InfoLogInstancePart::delete_ext() {
  LogBook::instance().end(collection_);
  delete this;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::sysman
