// Debug information of a module → LLVM's (and so DWARF): OpLine, OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.
// Never a reason to refuse a module: what does not fit is left out.
#pragma once

#include "module_reader.hpp"

#include <memory>

namespace zeroth::spirv {

class Emitter;

class DebugInfo {
public:
  // Null when the module says nothing about its source.
  static std::unique_ptr<DebugInfo> create(ModuleReader& reader);
  virtual ~DebugInfo() = default;

  virtual void begin_function(Emitter& emitter, const FunctionRange& range) = 0;
  virtual void begin_block(Emitter& emitter) = 0;
  // Sets the location for what follows; true when the instruction was about debug information only.
  virtual bool handle(Emitter& emitter, const Instruction& inst) = 0;
  virtual void finish() = 0;
};

} // namespace zeroth::spirv
