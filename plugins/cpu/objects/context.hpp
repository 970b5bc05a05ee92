// A context: the maker of everything else, and the memory functions.
#pragma once
#include "driver.hpp"

#include <optional>

namespace zeroth::cpu {

// Where imported memory lies.
struct ImportSource {
  int file; // the program's descriptor
  std::uint64_t offset;
  std::size_t size, room; // of the memory; from its start to what is not its own
};

class CpuContext final : public device::Context {
public:
  explicit CpuContext(CpuDriver& driver) : driver_(driver) {}
  CpuDriver& driver() { return driver_; }

  ze_result_t destroy() override;
  ze_result_t get_status() override { return ZE_RESULT_SUCCESS; }
  ze_result_t system_barrier(ze_device_handle_t device) override;

  ze_result_t command_queue_create(ze_device_handle_t device, const ze_command_queue_desc_t* desc,
                                   ze_command_queue_handle_t* queue) override;
  ze_result_t command_list_create(ze_device_handle_t device, const ze_command_list_desc_t* desc,
                                  ze_command_list_handle_t* list) override;
  ze_result_t command_list_create_immediate(ze_device_handle_t device, const ze_command_queue_desc_t* desc,
                                            ze_command_list_handle_t* list) override;
  ze_result_t event_pool_create(const ze_event_pool_desc_t* desc, uint32_t count, ze_device_handle_t* devices,
                                ze_event_pool_handle_t* pool) override;
  ze_result_t event_counter_based_create(ze_device_handle_t device, const ze_event_counter_based_desc_t* desc,
                                         ze_event_handle_t* event) override;
  ze_result_t event_pool_put_ipc_handle(ze_ipc_event_pool_handle_t handle) override;
  ze_result_t event_pool_open_ipc_handle(ze_ipc_event_pool_handle_t handle, ze_event_pool_handle_t* pool) override;
  ze_result_t event_counter_based_open_ipc_handle(ze_ipc_event_counter_based_handle_t handle,
                                                  ze_event_handle_t* event) override;
  ze_result_t module_create(ze_device_handle_t device, const ze_module_desc_t* desc, ze_module_handle_t* module,
                            ze_module_build_log_handle_t* log) override;

  ze_result_t mem_alloc_shared(const ze_device_mem_alloc_desc_t* device_desc, const ze_host_mem_alloc_desc_t* host_desc,
                               size_t size, size_t alignment, ze_device_handle_t device, void** pointer) override;
  ze_result_t mem_alloc_device(const ze_device_mem_alloc_desc_t* desc, size_t size, size_t alignment,
                               ze_device_handle_t device, void** pointer) override;
  ze_result_t mem_alloc_host(const ze_host_mem_alloc_desc_t* desc, size_t size, size_t alignment,
                             void** pointer) override;
  ze_result_t mem_free(void* pointer) override;
  ze_result_t mem_free_ext(const ze_memory_free_ext_desc_t* desc, void* pointer) override;
  ze_result_t mem_get_alloc_properties(const void* pointer, ze_memory_allocation_properties_t* properties,
                                       ze_device_handle_t* device) override;
  ze_result_t mem_get_address_range(const void* pointer, void** base, size_t* size) override;
  ze_result_t make_memory_resident(ze_device_handle_t device, void* pointer, size_t size) override;
  ze_result_t evict_memory(ze_device_handle_t device, void* pointer, size_t size) override;
  ze_result_t mem_set_atomic_access_attribute_exp(ze_device_handle_t device, const void* pointer, size_t size,
                                                  ze_memory_atomic_attr_exp_flags_t attributes) override;
  ze_result_t mem_get_atomic_access_attribute_exp(ze_device_handle_t device, const void* pointer, size_t size,
                                                  ze_memory_atomic_attr_exp_flags_t* attributes) override;
  ze_result_t mem_get_ipc_handle(const void* pointer, ze_ipc_mem_handle_t* handle) override;
  ze_result_t mem_get_ipc_handle_with_properties(const void* pointer, void* next, ze_ipc_mem_handle_t* handle) override;
  ze_result_t mem_put_ipc_handle(ze_ipc_mem_handle_t handle) override;
  ze_result_t mem_open_ipc_handle(ze_device_handle_t device, ze_ipc_mem_handle_t handle, ze_ipc_memory_flags_t flags,
                                  void** pointer) override;
  ze_result_t mem_close_ipc_handle(const void* pointer) override;
  ze_result_t mem_get_ipc_handle_from_file_descriptor_exp(uint64_t descriptor, ze_ipc_mem_handle_t* handle) override;
  ze_result_t mem_get_file_descriptor_from_ipc_handle_exp(ze_ipc_mem_handle_t handle, uint64_t* descriptor) override;
  ze_result_t image_create(ze_device_handle_t device, const ze_image_desc_t* desc, ze_image_handle_t* image) override;
  ze_result_t image_view_create_ext(ze_device_handle_t device, const ze_image_desc_t* desc, ze_image_handle_t image,
                                    ze_image_handle_t* view) override;
  ze_result_t image_view_create_exp(ze_device_handle_t device, const ze_image_desc_t* desc, ze_image_handle_t image,
                                    ze_image_handle_t* view) override;
  ze_result_t image_get_alloc_properties_ext(ze_image_handle_t image,
                                             ze_image_allocation_ext_properties_t* properties) override;
  ze_result_t make_image_resident(ze_device_handle_t device, ze_image_handle_t image) override;
  ze_result_t evict_image(ze_device_handle_t device, ze_image_handle_t image) override;
  ze_result_t sampler_create(ze_device_handle_t device, const ze_sampler_desc_t* desc,
                             ze_sampler_handle_t* sampler) override;
  ze_result_t mem_get_pitch_for_2d_image(ze_device_handle_t device, size_t width, size_t height, unsigned int element,
                                         size_t* pitch) override;

  ze_result_t virtual_mem_reserve(const void* start, size_t size, void** pointer) override;
  ze_result_t virtual_mem_free(const void* pointer, size_t size) override;
  ze_result_t virtual_mem_query_page_size(ze_device_handle_t device, size_t size, size_t* page_size) override;
  ze_result_t physical_mem_get_properties(ze_physical_mem_handle_t memory,
                                          ze_physical_mem_properties_t* properties) override;
  ze_result_t physical_mem_create(ze_device_handle_t device, ze_physical_mem_desc_t* desc,
                                  ze_physical_mem_handle_t* memory) override;
  ze_result_t physical_mem_destroy(ze_physical_mem_handle_t memory) override;
  ze_result_t virtual_mem_map(const void* pointer, size_t size, ze_physical_mem_handle_t memory, size_t offset,
                              ze_memory_access_attribute_t access) override;
  ze_result_t virtual_mem_unmap(const void* pointer, size_t size) override;
  ze_result_t virtual_mem_set_access_attribute(const void* pointer, size_t size,
                                               ze_memory_access_attribute_t access) override;
  ze_result_t virtual_mem_get_access_attribute(const void* pointer, size_t size, ze_memory_access_attribute_t* access,
                                               size_t* out_size) override;

  ze_result_t zet_activate_metric_groups(zet_device_handle_t device, uint32_t count,
                                         zet_metric_group_handle_t* groups) override;

  MemoryOwner owner(ze_device_handle_t device) const; // of memory that is made for a device; null: for the host
  // Throws INVALID_ARGUMENT where no memory is, or less than `size` of an allocation.
  void check_memory(const void* pointer, size_t size) const;
  // The memory that the chain of an allocation's or image's descriptor imports, or null.
  void* import_memory(const void* chain, size_t size, MemoryKind kind, ze_device_handle_t device);
  std::optional<ImportSource> import_source(const void* chain);
  // The caller owns the descriptor.
  int export_descriptor(const Allocation& block, ze_external_memory_type_flags_t flags);
  int export_descriptor(PhysicalPages& pages, ze_external_memory_type_flags_t flags);

private:
  struct Wishes { // of an allocation's descriptors
    bool relaxed = false, exportable = false;
  };
  static Wishes wishes(const void* chain);
  void* allocate(size_t size, size_t alignment, MemoryKind kind, ze_device_handle_t device, Wishes wishes);
  void* take_program_memory(const ze_external_memmap_sysmem_ext_desc_t& memory, size_t size, size_t alignment,
                            bool read_only);
  IpcHandle export_memory(const void* pointer, size_t size);
  static IpcHandle export_pages(PhysicalPages& pages, size_t offset, size_t size);
  // What the handle of a live physical memory stands for; null: it is none.
  static std::shared_ptr<PhysicalPages> physical_pages(const void* handle);

  CpuDriver& driver_;
};

} // namespace zeroth::cpu
