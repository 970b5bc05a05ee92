// The image and sampler functions of contexts and devices.
#include "../objects/chain.hpp"
#include "../objects/context.hpp"
#include "../objects/device.hpp"
#include "image.hpp"

#include <sdk/error.hpp>

namespace zeroth::cpu {

ze_result_t CpuContext::image_create(ze_device_handle_t device, const ze_image_desc_t* desc, ze_image_handle_t* image) {
  *image = to_handle(CpuImage::create(*this, device, *desc));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::image_view_create_ext(ze_device_handle_t, const ze_image_desc_t* desc, ze_image_handle_t image,
                                              ze_image_handle_t* view) {
  *view = to_handle(CpuImage::create_view(*from_handle<CpuImage>(image), *desc));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::image_view_create_exp(ze_device_handle_t device, const ze_image_desc_t* desc,
                                              ze_image_handle_t image, ze_image_handle_t* view) {
  return image_view_create_ext(device, desc, image, view);
}

ze_result_t CpuContext::image_get_alloc_properties_ext(ze_image_handle_t image,
                                                       ze_image_allocation_ext_properties_t* properties) {
  const Allocation memory = from_handle<CpuImage>(image)->allocation();
  properties->id = memory.id;
  for_each_in_chain(properties->pNext, [&](ze_structure_type_t stype, void* item) {
    if (stype != ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD) return;
    auto& out = *static_cast<ze_external_memory_export_fd_t*>(item);
    out.fd = export_descriptor(memory, out.flags);
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::make_image_resident(ze_device_handle_t, ze_image_handle_t) { return ZE_RESULT_SUCCESS; }
ze_result_t CpuContext::evict_image(ze_device_handle_t, ze_image_handle_t) { return ZE_RESULT_SUCCESS; }

ze_result_t CpuContext::sampler_create(ze_device_handle_t, const ze_sampler_desc_t* desc,
                                       ze_sampler_handle_t* sampler) {
  *sampler = to_handle(new CpuSampler(*desc));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::mem_get_pitch_for_2d_image(ze_device_handle_t, size_t width, size_t height,
                                                   unsigned int element, size_t* pitch) {
  if (!pitch) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("rowPitch is null"));
  if (width == 0 || width > MaxImageExtent || height == 0 || height > MaxImageExtent || element == 0 || element > 16)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "an image of {} x {} texels of {} bytes", width, height, element);
  *pitch = round_up(width * element, ImageAlignment);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::get_image_properties(ze_device_image_properties_t* properties) {
  ze_device_image_properties_t& p = *properties;
  p.maxImageDims1D = p.maxImageDims2D = MaxImageExtent;
  p.maxImageDims3D = MaxImageExtent3D;
  p.maxImageBufferSize = MaxImageBufferTexels * 16;
  p.maxImageArraySlices = MaxImageLayers;
  p.maxSamplers = p.maxReadImageArgs = p.maxWriteImageArgs =
      128; // as many arguments as fit; this is the least of OpenCL
  for_each_in_chain(p.pNext, [](ze_structure_type_t stype, void* item) {
    if (stype == ZE_STRUCTURE_TYPE_PITCHED_ALLOC_DEVICE_EXP_PROPERTIES) {
      auto& pitched = *static_cast<ze_device_pitched_alloc_exp_properties_t*>(item);
      pitched.maxImageLinearWidth = pitched.maxImageLinearHeight = MaxImageExtent;
    }
    if (stype == ZE_STRUCTURE_TYPE_PITCHED_ALLOC_2DIMAGE_LINEAR_PITCH_EXP_INFO) {
      auto& pitch = *static_cast<ze_pitched_alloc_2dimage_linear_pitch_exp_info_t*>(item);
      pitch.pitchAlign = 4;
      pitch.maxSupportedPitch = MaxImageExtent * 16 * 4;
    }
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDevice::image_get_properties(const ze_image_desc_t* desc, ze_image_properties_t* properties) {
  const auto format = wants_srgb(desc->pNext) ? std::nullopt : texel_format(desc->format);
  const bool planar = !planes_of(desc->format.layout).empty() && !wants_srgb(desc->pNext);
  properties->samplerFilterFlags = 0;
  if (format) {
    properties->samplerFilterFlags = ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT;
    if (is_filterable(*format) && desc->type != ZE_IMAGE_TYPE_BUFFER)
      properties->samplerFilterFlags |= ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR;
  }
  for_each_in_chain(properties->pNext, [&](ze_structure_type_t stype, void* item) {
    if (stype == ZE_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES)
      static_cast<ze_image_format_support_ext_properties_t*>(item)->supported =
          format.has_value() || (planar && desc->type == ZE_IMAGE_TYPE_2D);
  });
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
