"""Every function that the device is said to refuse is called with objects of the device, and refuses with the listed code.

  refusals_test.py SPEC_DIR PLUGINS_DIR PYTHON_DIR LOADER KERNELS_DIR
"""
import ctypes
import json
import re
import sys
import unittest
from pathlib import Path

SPEC, PLUGINS, PYTHON, LOADER, KERNELS = (Path(argument) for argument in sys.argv[1:6])
del sys.argv[1:6]
GENERATOR = SPEC.parent / "generator"
sys.path += [str(PYTHON), str(GENERATOR)]
import conformance  # noqa: E402
import level_zero as ze  # noqa: E402
from functions import receiver, unsupported_code  # noqa: E402
from model import Api, base_type  # noqa: E402

API = Api(SPEC)
WHY = json.loads((Path(__file__).resolve().parent / "refusals.json").read_text())["refusals"]


def refused_functions(device):
    served = conformance.devices(PLUGINS)[device]
    return [f for f in API.public_functions() if conformance.is_refused(API, f, served)]


class Objects:
    """One handle of every kind that the device makes, by handle type."""

    def __init__(self):
        self.lib = ze.load(str(LOADER))
        self.check(self.lib.zeInit(0))
        self.made = {}
        self.driver = self.listed("ze_driver_handle_t", self.lib.zeDriverGet)
        self.device = self.listed("ze_device_handle_t", self.lib.zeDeviceGet, self.driver)
        self.context = self.new("ze_context_handle_t", self.lib.zeContextCreate, self.driver, ze.ze_context_desc_t(
            stype=ze.ZE_STRUCTURE_TYPE_CONTEXT_DESC))
        queue = ze.ze_command_queue_desc_t(stype=ze.ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC)
        self.new("ze_command_queue_handle_t", self.lib.zeCommandQueueCreate, self.context, self.device, queue)
        self.new("ze_command_list_handle_t", self.lib.zeCommandListCreateImmediate, self.context, self.device, queue)
        self.new("ze_fence_handle_t", self.lib.zeFenceCreate, self.made["ze_command_queue_handle_t"],
                 ze.ze_fence_desc_t(stype=ze.ZE_STRUCTURE_TYPE_FENCE_DESC))
        self.events()
        self.module()
        self.new("ze_physical_mem_handle_t", self.lib.zePhysicalMemCreate, self.context, self.device,
                 ze.ze_physical_mem_desc_t(stype=ze.ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, size=2 << 20))
        self.system_management()
        self.parts()

    @staticmethod
    def check(result):
        if result != ze.ZE_RESULT_SUCCESS:
            raise AssertionError(f"an object of the test cannot be made: {result & 0xffffffff:#x}")

    def listed(self, kind, function, *before):
        handle, count = ctypes.c_void_p(), ctypes.c_uint32(1)
        self.check(function(*before, ctypes.byref(count), ctypes.byref(handle)))
        self.made[kind] = handle
        return handle

    def new(self, kind, function, *before):
        handle = ctypes.c_void_p()
        self.check(function(*[ctypes.byref(b) if isinstance(b, ctypes.Structure) else b for b in before], ctypes.byref(handle)))
        self.made[kind] = handle
        return handle

    def events(self):
        desc = ze.ze_event_pool_desc_t(stype=ze.ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, flags=1, count=1)
        pool = ctypes.c_void_p()
        self.check(self.lib.zeEventPoolCreate(self.context, ctypes.byref(desc), 0, None, ctypes.byref(pool)))
        self.made["ze_event_pool_handle_t"] = pool
        self.new("ze_event_handle_t", self.lib.zeEventCreate, pool, ze.ze_event_desc_t(stype=ze.ZE_STRUCTURE_TYPE_EVENT_DESC))

    def module(self):
        code = (KERNELS / "saxpy.spv").read_bytes()
        desc = ze.ze_module_desc_t(stype=ze.ZE_STRUCTURE_TYPE_MODULE_DESC, format=ze.ZE_MODULE_FORMAT_IL_SPIRV, inputSize=len(code))
        desc.pInputModule = ctypes.cast(ctypes.create_string_buffer(code, len(code)), ctypes.POINTER(ctypes.c_uint8))
        module, log = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.lib.zeModuleCreate(self.context, self.device, ctypes.byref(desc), ctypes.byref(module), ctypes.byref(log)))
        self.made["ze_module_handle_t"], self.made["ze_module_build_log_handle_t"] = module, log
        self.new("ze_kernel_handle_t", self.lib.zeKernelCreate, module,
                 ze.ze_kernel_desc_t(stype=ze.ZE_STRUCTURE_TYPE_KERNEL_DESC, pKernelName=b"saxpy"))

    def system_management(self):
        """Its objects, where it has a driver."""
        if self.lib.zesInit(0) == ze.ZE_RESULT_SUCCESS:
            driver = self.listed("zes_driver_handle_t", self.lib.zesDriverGet)
            self.listed("zes_device_handle_t", self.lib.zesDeviceGet, driver)

    def parts(self):
        """The first one that each function (object, count, handles) lists."""
        for function in API.public_functions():
            kinds = [base_type(p["type"]) for p in function["params"]]
            if len(kinds) == 3 and kinds[1] == ("uint32_t", 1) and kinds[0][0] in API.handles and kinds[2][0] in API.handles:
                parent, count, handle = self.of(kinds[0][0]), ctypes.c_uint32(1), ctypes.c_void_p()
                if parent and not self.of(kinds[2][0]):
                    getattr(self.lib, function["name"])(parent, ctypes.byref(count), ctypes.byref(handle))
                    if handle:
                        self.made[kinds[2][0]] = handle

    def of(self, kind):
        while "alias" in API.handles[kind] and kind not in self.made:
            kind = API.handles[kind]["alias"]
        return self.made.get(kind)


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.objects = Objects()
        cls.space = [ctypes.create_string_buffer(1 << 16) for _ in range(16)]
        cls.refused = {f["name"] for f in refused_functions("cpu")}

    def argument(self, param, number, place):
        name, stars = base_type(param["type"])
        if not stars and name in API.handles:
            return self.objects.of(name)
        if stars == 1 and name in API.handles and param["dir"] == "in":
            kept = self.space[place]
            ctypes.c_void_p.from_buffer(kept).value = (self.objects.of(name) or ctypes.c_void_p()).value
            return kept
        if stars or name in API.callbacks:
            return self.structure(self.space[place], filled=number == 64)
        if name in API.structs:
            return getattr(ze, name)()
        return number

    def structure(self, space, filled):
        """Zeros, or a head of zeros (type and chain) before members that point at zeros."""
        ctypes.memset(space, 0, len(space))
        if filled:
            ctypes.memmove(ctypes.addressof(space) + 16, (ctypes.c_size_t * 8)(*[ctypes.addressof(self.space[15])] * 8), 64)
        return space

    def call(self, function, number):
        arguments = [self.argument(p, number, i) for i, p in enumerate(function["params"])]
        entry = getattr(self.objects.lib, function["name"])
        entry.argtypes, entry.restype = None, ctypes.c_uint32
        return entry(*[ctypes.c_size_t(a) if isinstance(a, int) else a for a in arguments])

    def has_objects(self, function):
        kinds = [base_type(p["type"])[0] for p in function["params"] if p["dir"] == "in"]
        return all(self.objects.of(kind) for kind in kinds if kind in API.handles)

    def makers_of(self, kind):
        """Functions that hand out such an object."""
        same = {h for h in API.handles if h == kind or API.handles[h].get("alias") == kind or API.handles[kind].get("alias") == h}
        return [f for f in API.public_functions() for p in f["params"]
                if base_type(p["type"])[0] in same and "out" in p["dir"] and "*" in p["type"]]

    def test_each_is_called_and_refuses_with_the_listed_code(self):
        for function in refused_functions("cpu"):
            if not self.has_objects(function):
                continue
            expected = getattr(ze, unsupported_code(function))
            with self.subTest(function=function["name"]):
                answers = {self.call(function, number) for number in (0, 1, 64)}
                self.assertIn(expected, answers, [hex(a) for a in answers])
                self.assertNotIn(ze.ZE_RESULT_SUCCESS, answers)

    def test_objects_that_cannot_be_had_have_no_maker(self):
        for function in refused_functions("cpu"):
            if self.has_objects(function):
                continue
            kind = next(k for k in (base_type(p["type"])[0] for p in function["params"] if p["dir"] == "in")
                        if k in API.handles and not self.objects.of(k))
            makers = [f["name"] for f in self.makers_of(kind) if f["name"] not in self.refused and not self.lists_nothing(f)]
            self.assertEqual(makers, [], f"{function['name']} of {kind}")

    def lists_nothing(self, function):
        """True of a function (object, count, handles) that finds no object."""
        if len(function["params"]) != 3 or not self.has_objects(function):
            return False
        count = ctypes.c_uint32(0)
        parent = self.objects.of(base_type(function["params"][0]["type"])[0])
        return getattr(self.objects.lib, function["name"])(parent, ctypes.byref(count), None) == 0 and count.value == 0

    def test_each_has_a_reason(self):
        nameless = [name for name in self.refused if not any(re.search(w["match"], name) for w in WHY)]
        self.assertEqual(sorted(nameless), [])


if __name__ == "__main__":
    unittest.main()
