"""`zeroth` as a person or a script uses it: texts (their stable parts), JSON, exit statuses."""

import json
import re
import shutil
import signal
import unittest

import process
from program import ZEROTH, Cli

KERNELS = process.BUILD / "kernels"


class Info(Cli):
    def test_names_driver_and_device(self):
        text = self.zeroth("info")
        self.assertRegex(text, r"^Level Zero loader 1\.32\.0\n")
        for line in [r"^Driver 0$", r"^  api +1\.20$", r"^  Device 0\.0$", r"^    name +\S", r"^    type +cpu$", r"^    memory +[\d.]+ [GT]iB$"]:
            self.assertRegex(text, re.compile(line, re.M))

    def test_fits_80_columns_without_colour(self):
        for words in (["info"], ["info", "--all"], ["doctor"], ["sysman"], ["--help"], ["run", "--help"], ["top", "--help"],
                      ["compile", "--help"], ["cache", "--help"]):
            text = self.zeroth(*words)
            self.assertNotIn("\033", text)
            long = [line for line in text.splitlines() if len(line) > 80 and " " in line.strip() and "/" not in line]
            self.assertEqual([], long)

    def test_json_holds_what_the_text_says(self):
        report = json.loads(self.zeroth("info", "--json"))
        self.assertEqual(report["loader"], "1.32.0")
        device = report["drivers"][0]["devices"][0]
        self.assertEqual(device["type"], "cpu")
        self.assertIn(device["name"], self.zeroth("info"))
        self.assertGreater(device["compute"]["largest group"], 0)
        self.assertIsInstance(report["drivers"][0]["extensions"], dict)

    def test_json_stays_json_when_init_fails(self):
        wrong = self.file("wrong.yaml", "strict: true\ndriverz: []\n")
        report = json.loads(self.zeroth("info", "--json", status=1, ZEROTH_CONFIG=wrong))
        self.assertEqual(report["drivers"], [])
        self.assertIn("zeInit", report["error"])

    def test_says_so_when_there_is_no_driver(self):
        empty = self.file("empty.yaml", "drivers: []\n")
        self.assertIn("zeroth doctor", self.zeroth("info", status=1, ZEROTH_CONFIG=empty))


class Doctor(Cli):
    def test_is_content_with_a_healthy_build(self):
        text = self.zeroth("doctor")
        self.assertIn("a kernel was built and run", text)
        self.assertIn("All is well.", text)

    def test_names_the_broken_plugin_and_fails(self):
        broken = self.file("zeroth_broken.so", "this is no library")
        config = self.file("config.yaml", f"drivers: [{{plugin: {broken}}}, {{plugin: cpu}}]\n")
        report = json.loads(self.zeroth("doctor", "--json", status=1, ZEROTH_CONFIG=config))
        self.assertFalse(report["healthy"])
        problems = [f for f in report["findings"] if f["level"] == "PROBLEM"]
        self.assertEqual(1, len(problems), problems)
        self.assertIn("broken", problems[0]["subject"] + problems[0]["text"])
        devices = [f for f in report["findings"] if f["area"] == "devices"]
        self.assertTrue(devices and all(f["level"] == "ok" for f in devices), devices)

    def test_reports_a_wrong_configuration_and_uses_the_default(self):
        config = self.file("config.yaml", "driverz: []\n")
        text = self.zeroth("doctor", status=1, ZEROTH_CONFIG=config)
        self.assertIn("config.yaml:1:1", text)
        self.assertIn("a kernel was built and run", text)

    def test_options_out_of_range_are_told_and_not_taken(self):
        config = self.file("config.yaml", "drivers: [{plugin: cpu, options: {threads: -1, cpu: z80, sub_devices: -5, compiler: foo}}]\n")
        self.assertIn("a kernel was built and run", self.zeroth("doctor", status=1, ZEROTH_CONFIG=config))
        report = json.loads(self.zeroth("doctor", "--json", status=1, ZEROTH_CONFIG=config))
        self.assertFalse(report["healthy"])
        problems = [f["text"] for f in report["findings"] if f["level"] == "PROBLEM"]
        for told in ["option threads: `-1`", "option cpu: `z80`", "option sub_devices: `-5`", "option compiler: `foo`"]:
            self.assertEqual(1, len([text for text in problems if told in text]), problems)

    def test_an_option_that_is_unknown_or_of_the_wrong_type_is_a_problem_told_once(self):
        for option, told in [("thread: 4", "unknown option `thread` (did you mean `threads`?)"), ("threads: many", "option `threads` must be of type integer")]:
            config = self.file("config.yaml", f"drivers: [{{plugin: cpu, options: {{{option}}}}}]\n")
            report = json.loads(self.zeroth("doctor", "--json", status=1, ZEROTH_CONFIG=config))
            problems = [f["text"] for f in report["findings"] if f["level"] == "PROBLEM"]
            self.assertEqual(1, len(problems), problems)
            self.assertIn("config.yaml:1:", problems[0])
            self.assertIn(told, problems[0])

    def test_names_the_loader_in_use_and_whether_it_is_ours(self):
        self.assertRegex(self.zeroth("doctor"), re.compile(r"^loader\n  ok +\S*/libze_loader\.so\S* 1\.32\.0$", re.M))
        place = self.folder / "lib"
        place.mkdir()
        shutil.copy(process.BUILD / "lib" / "libze_loader.so.1", place)
        report = json.loads(self.zeroth("doctor", "--json", status=1, LD_LIBRARY_PATH=place))
        loader = report["findings"][0]
        self.assertEqual((loader["level"], loader["area"]), ("PROBLEM", "loader"))
        self.assertIn(str(place), loader["text"])
        self.assertIn(f"LD_LIBRARY_PATH={process.BUILD / 'lib'}", loader["advice"])

    def test_offers_only_plugins_that_fit_the_place(self):
        for text, fits, other in [("drivers: [nosuchthing]", "cpu", "sysman"), ("drivers: [cpu]\noverlays: [nosuchthing]", "sysman", "cpu")]:
            report = json.loads(self.zeroth("doctor", "--json", status=1, ZEROTH_CONFIG=self.file("config.yaml", text + "\n")))
            advice = next(f["advice"] for f in report["findings"] if f["subject"] == "nosuchthing")
            self.assertRegex(advice, rf"\b{fits}\b")
            self.assertNotRegex(advice, rf"\b{other}\b")

    def test_names_what_hides_every_device(self):
        text = self.zeroth("doctor", status=1, ZE_AFFINITY_MASK="9")
        self.assertIn("ZE_AFFINITY_MASK `9` hides every device", text)
        self.assertIn("unset ZE_AFFINITY_MASK", text)

    def test_names_a_configuration_without_drivers(self):
        for drivers, told in [("[]", "it lists no driver"), ("[{plugin: cpu, enabled: false}]", "no driver is enabled")]:
            config = self.file("config.yaml", f"drivers: {drivers}\n")
            report = json.loads(self.zeroth("doctor", "--json", status=1, ZEROTH_CONFIG=config))
            self.assertIn(f"{config}: {told}", [f["text"] for f in report["findings"]])

    def test_names_the_variable_that_keeps_kernels_from_being_built(self):
        report = json.loads(self.zeroth("doctor", "--json", status=1, ZEROTH_KERNELC="/nowhere", ZEROTH_CACHE="0"))
        device = next(f for f in report["findings"] if f["area"] == "devices")
        self.assertIn("unset ZEROTH_KERNELC (it is `/nowhere`)", device["advice"])

    def test_a_device_without_kernels_is_no_problem(self):
        device = process.BUILD / "lib" / "testing" / "fake_cpu.so"
        text = self.zeroth("doctor", ZEROTH_CONFIG=self.file("config.yaml", f"drivers: [{{plugin: {device}}}]\n"))
        self.assertIn("it takes no kernels", text)

    def test_too_many_parts_are_told_with_the_most_that_there_may_be(self):
        config = self.file("config.yaml", "drivers: [{plugin: cpu, options: {sub_devices: 100000}}]\n")
        self.assertIn("option sub_devices: `100000` is no whole number from 0 to 64", self.both("info", ZEROTH_CONFIG=config)[1])

    def test_words_of_the_environment_that_mean_nothing_are_told_once(self):
        words = {"ZEL_DRIVERS_ORDER": "foo", "ZE_FLAT_DEVICE_HIERARCHY": "flatt", "ZEL_LOADER_LOGGING_LEVEL": "loud", "ZES_ENABLE_SYSMAN": "yes",
                 "ZEROTH_CPU": "avx3", "ZEROTH_CACHE": "off", "ZEROTH_CACHE_DIR": "here", "ZE_AFFINITY_MASK": "abc", "ZE_ENABLE_VALIDATION_LAYER": "foo"}
        allowed = {"ZEL_DRIVERS_ORDER": "NPU", "ZE_FLAT_DEVICE_HIERARCHY": "COMBINED", "ZEL_LOADER_LOGGING_LEVEL": "critical", "ZES_ENABLE_SYSMAN": "0",
                   "ZEROTH_CPU": "avx2", "ZEROTH_CACHE": "0, 1", "ZEROTH_CACHE_DIR": "/", "ZE_AFFINITY_MASK": "0,1.0", "ZE_ENABLE_VALIDATION_LAYER": "0, 1"}
        log = self.both("info", **words)[1].splitlines()
        for name, word in words.items():
            lines = [line for line in log if f"{name}:" in line]
            self.assertEqual(len(lines), 1, log)
            self.assertIn(f"`{word}`", lines[0])
            self.assertIn(allowed[name], lines[0])
        right = {"ZEL_DRIVERS_ORDER": "0,GPU:1,NPU", "ZE_FLAT_DEVICE_HIERARCHY": "flat", "ZEL_LOADER_LOGGING_LEVEL": "warn", "ZES_ENABLE_SYSMAN": "1"}
        self.assertEqual(self.both("info", **right)[1], "")

    def test_kernels_are_built_whatever_word_of_the_environment_is_not_taken(self):
        text = self.zeroth("doctor", status=1, ZEROTH_CPU="avx3", ZE_AFFINITY_MASK="abc")
        self.assertIn("a kernel was built and run", text)
        for name in ("ZEROTH_CPU: `avx3`", "ZE_AFFINITY_MASK: `abc`"):
            self.assertIn(name, text)

    def test_shows_an_overlay_that_refused_a_driver(self):
        overlay = next(iter(process.BUILD.rglob("zeroth_refuses.so")))
        config = self.file("config.yaml", f"drivers: [cpu]\noverlays: [{{plugin: {overlay}, name: refuses}}]\n")
        report = json.loads(self.zeroth("doctor", "--json", status=1, ZEROTH_CONFIG=config))
        refused = [f for f in report["findings"] if f["level"] == "PROBLEM" and "over driver cpu" in f["text"]]
        self.assertEqual(1, len(refused), report["findings"])


class FoundThroughPath(Cli):
    def test_takes_its_compiler_from_beside_itself_not_from_the_working_folder(self):
        source = self.file("nothing.cl", "kernel void nothing() {}\n")
        for place in [self.folder / "bin", self.folder / "here"]:
            place.mkdir()
            other = place / "zeroth-kernelc"
            other.write_text("#!/bin/sh\ntouch ran\n")
            other.chmod(0o755)
        path = f"{ZEROTH.parent}:/usr/bin:/bin"
        done = process.run("zeroth", "compile", source, env=process.clean_environment(PATH=path), cwd=self.folder / "here", executable=ZEROTH)
        self.assertEqual(done.returncode, 0, process.told(done))
        self.assertFalse(list(self.folder.rglob("ran")))


class Commands(Cli):
    def test_unknown_ones_are_named_with_the_command_they_were_given_to(self):
        for words, told in [(["foo"], 'no command "foo"; see `zeroth --help`'), (["config", "foo"], 'no command "foo"; see `zeroth config --help`'),
                            (["completion", "foo"], 'no command "foo"; see `zeroth completion --help`')]:
            self.assertIn(told, self.both(*words, status=2)[1])

    def test_a_slip_of_the_hand_is_told_what_was_meant(self):
        for words, meant in [(["inf"], "info"), (["config", "chek"], "check")]:
            self.assertIn(f"(did you mean `{meant}`?)", self.both(*words, status=2)[1])


class Config(Cli):
    def test_check_of_what_is_no_file_says_so(self):
        for path, reason in [(self.folder, "Is a directory"), ("/dev/zero", "not a regular file"), (self.folder / "none", "No such file")]:
            self.assertIn(f"{path}: cannot be read: {reason}", self.zeroth("config", "check", path, status=1))

    def test_check_tells_right_from_wrong(self):
        self.assertIn("right", self.zeroth("config", "check", self.file("a.yaml", "log: {level: debug}\n")))
        self.assertRegex(self.zeroth("config", "check", self.file("b.yaml", "\nlogg: {}\n"), status=1), r"b\.yaml:2:1: .*log")

    def test_check_takes_several_files(self):
        right, wrong = self.file("a.yaml", "log: {level: debug}\n"), self.file("b.yaml", "logg: {}\n")
        text = self.zeroth("config", "check", right, wrong, status=1)
        self.assertIn(f"{right}: right", text)
        self.assertIn(f"{wrong}:1:1", text)

    def test_check_asks_the_plugins_too(self):
        for text, told in [("drivers: [cpuu]", r"c\.yaml:1:\d+: device cpuu: not loaded .*`cpu`"), ("overlays: [cpu]", r"c\.yaml:1:\d+: overlay cpu: not loaded \(wrong-kind\)"),
                           ("drivers: [{plugin: cpu, options: {thread: 4}}]", r"c\.yaml:1:\d+: unknown option `thread`"),
                           ("drivers: [{plugin: cpu, options: {placement: socket}}]", r"c\.yaml:1:\d+: .*option placement: `socket`")]:
            file = self.file("c.yaml", text + "\n")
            self.assertRegex(self.zeroth("config", "check", file, status=1), told)
            self.assertIn("right", self.zeroth("config", "check", "--file-only", file))

    def test_show_names_the_origin_of_each_value(self):
        config = self.file("mine.yaml", "log: {level: debug}\n")
        shown = json.loads(self.zeroth("config", "show", "--json", ZEROTH_CONFIG=config))["settings"]
        self.assertEqual(shown["log.level"]["value"], "debug")
        self.assertIn("mine.yaml:1", shown["log.level"]["origin"])
        self.assertIn("mine.yaml", self.zeroth("config", "show", ZEROTH_CONFIG=config))

    def test_schema_is_json(self):
        self.assertIn("$defs", json.loads(self.zeroth("config", "schema")))


class Run(Cli):
    def saxpy(self, *words, status=0):
        numbers = self.file("x.txt", "1 2 3 4")
        return self.zeroth("run", KERNELS / "saxpy.spv", "--groups", "2", "--group-size", "2", "--arg", "f32:10",
                           "--arg", f"f32[]:{numbers}", "--arg", "f32[]:4", *words, status=status)

    def test_prints_a_buffer(self):
        self.assertEqual(self.saxpy("--out", "2=-"), "10 20 30 40\n")

    def test_writes_text_and_bytes(self):
        self.saxpy("--out", f"2={self.folder}/y.txt", "--out", f"2={self.folder}/y.bin")
        self.assertEqual((self.folder / "y.txt").read_text(), "10 20 30 40\n")
        self.assertEqual((self.folder / "y.bin").stat().st_size, 16)

    def test_renders_and_filters_a_picture(self):
        first, second = self.folder / "m.png", self.folder / "e.png"
        self.zeroth("run", KERNELS / "mandelbrot.spv", "--groups", "4,64", "--group-size", "16", "--arg", "u32[]:4096", "--arg", "f32:-2",
                    "--arg", "f32:-1.5", "--arg", "f32:0.046875", "--arg", "f32:0.046875", "--arg", "u32:100", "--out", f"0={first}")
        self.zeroth("run", KERNELS / "sobelb.spv", "--groups", "4,64", "--group-size", "16", "--arg", f"f32[]:{first}", "--arg", "f32[]:4096",
                    "--arg", "i32:64", "--arg", "i32:64", "--out", f"1={second}")
        for picture in (first, second):
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))

    def test_times_launches_as_json(self):
        report = json.loads(self.saxpy("--repeat", "5", "--json"))
        self.assertEqual((report["kernel"], report["launches"]), ("saxpy", 5))
        self.assertLessEqual(report["shortest ms"], report["longest ms"])

    def test_mistakes_are_named(self):
        cases = [
            (["--kernel", "nothing"], "saxpy"),
            (["--out", "0=-"], "no buffer"),
            (["--device", "99"], "no device 99"),
            (["--arg", "i32:1"], "takes 3 arguments (--arg), 4 given"),
        ]
        for words, text in cases:
            done = process.run(ZEROTH, "run", KERNELS / "saxpy.spv", "--arg", "f32:1", "--arg", "f32[]:1", "--arg", "f32[]:1", *words)
            self.assertEqual(done.returncode, 1, process.told(done))
            self.assertIn(text, done.stderr)

    def test_an_empty_module_is_called_empty(self):
        done = process.run(ZEROTH, "run", self.file("nothing.spv", ""))
        self.assertEqual(done.returncode, 1, process.told(done))
        self.assertRegex(done.stderr, r"nothing\.spv is empty")

    def test_a_number_of_the_wrong_kind_for_its_parameter_is_refused(self):
        kernel = self.file("kinds.cl", "kernel void kinds(int whole, float broken, global float* out) { out[0] = whole + broken; }\n")
        self.assertEqual(self.zeroth("run", kernel, "--arg", "i32:3", "--arg", "f32:0.5", "--arg", "f32[]:1", "--out", "2=-"), "3.5\n")
        for first, second, text in [("f32:3", "f32:0.5", r"argument 0 \(f32:3\): .*int"), ("i32:3", "i32:1", r"argument 1 \(i32:1\): .*float")]:
            done = process.run(ZEROTH, "run", kernel, "--arg", first, "--arg", second, "--arg", "f32[]:1")
            self.assertEqual(done.returncode, 1, process.told(done))
            self.assertRegex(done.stderr, text)

    def test_what_is_none_for_its_parameter_is_refused(self):
        kernel = self.file("kinds.cl", "kernel void kinds(float value, global float* out, local int* room) { room[0] = 1; out[0] = value + room[0]; }\n")
        right = ["f32:3", "f32[]:1", "local:4"]
        for index, wrong, told in [(0, "f64:2", "takes 4 bytes here (float), and this has 8"), (0, "null", "a value of type float"), (1, "i64:5", "a pointer"),
                                   (2, "i32:1", "work-group memory")]:
            given = [wrong if i == index else argument for i, argument in enumerate(right)]
            self.assertIn(told, self.both("run", kernel, *[word for argument in given for word in ("--arg", argument)], status=1)[1])
        self.assertEqual(self.zeroth("run", kernel, *[word for argument in right for word in ("--arg", argument)], "--out", "1=-"), "4\n")

    def test_failures_come_with_the_words_of_the_runtime(self):
        done = process.run(ZEROTH, "run", KERNELS / "saxpy.spv", "--group-size", "4096", "--arg", "f32:1", "--arg", "f32[]:1", "--arg", "f32[]:1")
        self.assertEqual(done.returncode, 1, process.told(done))
        self.assertRegex(done.stderr, r"zeKernelSetGroupSize failed: ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION: .*4096 x 1 x 1")

    def test_threads_that_fault_together_say_it_once(self):
        kernel = self.file("oob.cl", "kernel void oob(global int* x) { x[get_global_id(0) * 1000000000L] = 1; }\n")
        for _ in range(8):
            done = process.run(ZEROTH, "run", kernel, "--groups", "64", "--group-size", "64", "--arg", "i32[]:1")
            self.assertEqual(done.returncode, -signal.SIGSEGV, process.told(done))
            self.assertRegex(done.stderr, r'\Azeroth: kernel "oob" touched memory that is not its own, at 0x[0-9a-f]+\n\Z')

    def test_wrong_buffers_name_their_argument(self):
        for argument, text in [("f32[]:/", "is a folder"), ("f32[]:99999999999999999", "not so much memory"),
                               ("f64[]:9999999999999999999", "not so much memory")]:
            done = process.run(ZEROTH, "run", KERNELS / "saxpy.spv", "--arg", "f32:1", "--arg", argument, "--arg", "f32[]:1")
            self.assertEqual(done.returncode, 1, process.told(done))
            self.assertIn(f"argument 1 ({argument})", done.stderr)
            self.assertIn(text, done.stderr)

    def test_null_for_a_pointer_that_the_kernel_uses_is_told(self):
        done = process.run(ZEROTH, "run", KERNELS / "saxpy.spv", "--arg", "f32:1", "--arg", "null", "--arg", "f32[]:1")
        self.assertEqual(done.returncode, -signal.SIGSEGV, process.told(done))
        self.assertIn('kernel "saxpy" touched memory that is not its own, at 0x0; null is what was given for argument 1', done.stderr)

    def test_no_launch_at_all_is_refused(self):
        done = process.run(ZEROTH, "run", KERNELS / "saxpy.spv", "--repeat", "0")
        self.assertEqual(done.returncode, 2, process.told(done))
        self.assertIn("at least one launch", done.stderr)
        self.assertLess(len(done.stderr), 300)

    def test_all_engines_agree(self):
        text = self.saxpy("--check-engines")
        self.assertEqual(text.count("the same\n"), 8, text)
        self.assertIn("same bits", text)

    def test_engines_may_differ_in_the_signs_of_nans(self):
        nans = self.file("nans.cl", "kernel void nans(global uint* x) { x[0] = 0x7fc00000 | get_sub_group_size() << 31 | get_max_sub_group_size(); }\n")
        words = ["run", nans, "--group-size", "64", "--check-engines", "--arg"]
        self.assertIn("differ", self.zeroth(*words, "u32[]:1", status=1))
        self.assertIn("same bits", self.zeroth(*words, "f32[]:1"))

    def test_engines_that_differ_are_shown(self):
        racing = self.file("racing.cl", "kernel void racing(global int* x) { x[0] = get_sub_group_size(); }\n")
        text = self.zeroth("run", racing, "--group-size", "64", "--arg", "i32[]:1", "--check-engines", status=1)
        self.assertIn("argument 0 element 0", text)

    def test_opencl_c_runs_too(self):
        source = self.file("twice.cl", "kernel void twice(global int* x) { x[get_global_id(0)] *= BY; }\n")
        numbers = self.file("x.txt", "1 2 3 4")
        self.assertEqual(self.zeroth("run", source, "--opencl-flags", "-DBY=2", "--group-size", "4", "--arg", f"i32[]:{numbers}", "--out", "0=-"), "2 4 6 8\n")
        wrong = process.run(ZEROTH, "run", self.file("wrong.cl", "kernel void wrong() { x; }\n"))
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("undeclared identifier", wrong.stderr)

    def test_a_module_that_does_not_build_gives_its_log(self):
        done = process.run(ZEROTH, "run", self.file("broken.spv", "no SPIR-V at all"))
        self.assertEqual(done.returncode, 1, process.told(done))
        self.assertIn("does not build (ZE_RESULT_ERROR", done.stderr)

    def test_wrong_usage_has_status_2(self):
        self.zeroth("run", "--no-such-option", status=2)


class Compile(Cli):
    PAGE = (process.SOURCE / "docs" / "cli.md").read_text()
    KERNEL = re.search(r"^```c file=mixed\.cl\n(.*?)^```$", PAGE, re.M | re.S)[1]

    def test_the_report_names_what_costs_speed_by_line(self):
        text = self.zeroth("compile", self.file("mixed.cl", self.KERNEL))
        if not any(shutil.which(f"llvm-spirv-{version}") for version in range(14, 24)):
            text = re.sub(r"^  (?=[a-z])", "  line 0: ", text, flags=re.M)  # no lines, but the same words
        for line in [r"^kernel mixed: \d+ work-items a slice, engine loop$", r"^  line \d: reads .*\(gather\)", r"^  line \d: a loop that work-items leave at different times",
                     r"^  line \d: runs under a mask", r"^  line \d: writes .* 16 bytes apart \(scatter\)", r"^  line \d: an atomic xchg runs one work-item at a time",
                     r"memory accesses: "]:
            self.assertRegex(text, re.compile(line, re.M))

    def test_the_report_of_the_page_is_what_is_printed_but_for_numbers(self):
        def shapes(text):
            return {re.sub(r"\d+", "N", re.sub(r"^  line \d+: ", "", line)).strip().replace("spills", "spill").replace("reloads", "reload") for line in text.splitlines()}
        shown = re.search(r"^```text\n\$ zeroth (compile mixed\.cl [^\n]*)\n(.*?)^```$", self.PAGE, re.M | re.S)
        command, told = shown[1].split(), shown[2]
        command[1] = self.file("mixed.cl", self.KERNEL)
        self.assertEqual(shapes(told) - shapes(self.zeroth(*command)), set())

    def test_the_report_names_no_loop_that_the_kernel_has_not(self):
        text = self.zeroth("compile", self.file("one.cl", "kernel void one(global int* a) { a[get_global_id(0)] = 1; }\n"))
        for line in text.splitlines():
            if "loop" in line and "engine loop" not in line and "divergent loops" not in line:
                self.assertIn("the one over its slices", line)

    def test_listings_are_what_they_are_called(self):
        source = self.file("mixed.cl", self.KERNEL)
        self.assertIn("define", self.zeroth("compile", source, "--emit", "llvm"))
        self.assertIn("zeroth_kernel.mixed:", self.zeroth("compile", source, "--emit", "asm", "--cpu", "x86-64-v3"))
        for emit, start in (("so", b"\x7fELF"), ("spv", b"\x03\x02\x23\x07")):
            self.zeroth("compile", source, "--emit", emit, "-o", self.folder / emit)
            self.assertTrue((self.folder / emit).read_bytes().startswith(start))

    def test_the_cpu_decides_the_width(self):
        def width(cpu):
            report = self.zeroth("compile", KERNELS / "saxpy.spv", "--cpu", cpu)
            return int(re.search(r"saxpy: (\d+) work-items", report)[1])
        self.assertEqual(width("x86-64-v4"), 2 * width("x86-64-v3"))

    def test_a_cpu_may_be_named_as_in_the_environment(self):
        ours, theirs = (self.zeroth("compile", KERNELS / "saxpy.spv", "--cpu", cpu) for cpu in ("avx2", "x86-64-v3"))
        self.assertEqual(ours, theirs)

    def test_a_module_without_kernels_is_told(self):
        source = self.file("nothing.cl", "int f(int x) { return x; }\n")
        self.assertIn("the module has no kernel", self.both("compile", source, status=1)[1])
        self.assertIn("the module has no kernel", self.both("run", source, status=1)[1])

    def test_the_compiler_that_is_named_is_taken(self):
        source = self.file("mixed.cl", self.KERNEL)
        self.assertIn("/nowhere/clang is not installed", self.both("compile", source, status=1, ZEROTH_CLANG="/nowhere/clang")[1])

    def test_an_unknown_cpu_is_named(self):
        self.assertIn("no-such-cpu", self.both("compile", KERNELS / "saxpy.spv", "--cpu", "no-such-cpu", status=1)[1])


class Cache(Cli):
    def test_counts_checks_and_clears_entries(self):
        cache = {"ZEROTH_CACHE_DIR": str(self.folder / "cache"), "ZEROTH_CACHE": "1"}
        self.zeroth("compile", KERNELS / "saxpy.spv", **cache)
        self.assertEqual(json.loads(self.zeroth("cache", "stat", "--json", **cache))["entries"], 1)
        self.assertIn("1 entries, 0 damaged", self.zeroth("cache", "verify", **cache))
        entry = next(p for p in (self.folder / "cache").rglob("*") if p.is_file())
        entry.write_bytes(entry.read_bytes()[:1000])
        self.assertIn("1 damaged and removed", self.zeroth("cache", "verify", status=1, **cache))
        self.zeroth("compile", KERNELS / "saxpy.spv", **cache)
        self.zeroth("cache", "clear", **cache)
        self.assertRegex(self.zeroth("cache", "stat", **cache), r"entries +0")

    def test_a_folder_that_cannot_be_written_is_told(self):
        blocked = self.file("file", "no folder")
        for folder, can in [(self.folder, True), (self.folder / "new" / "one", True), (blocked / "cache", False)]:
            self.assertEqual(json.loads(self.zeroth("cache", "stat", "--json", ZEROTH_CACHE_DIR=folder))["can be written"], can)

    def test_a_home_that_does_not_exist_is_not_made(self):
        home = self.folder / "nobody"
        self.zeroth("compile", KERNELS / "saxpy.spv", HOME=str(home), ZEROTH_CACHE="1", ZEROTH_CACHE_DIR="", XDG_CACHE_HOME="")
        self.assertFalse(home.exists())
        self.both("cache", "stat", status=1, HOME=str(home), ZEROTH_CACHE_DIR="", XDG_CACHE_HOME="")


if __name__ == "__main__":
    unittest.main(verbosity=2)
