"""`zeroth sysman` and `zeroth top`: tables, terminals of every kind, pipes, and many who ask for metrics."""

import fcntl
import json
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import termios
import threading
import unittest
import urllib.request

import process
from program import ZEROTH, Cli


class Terminal:
    """`zeroth` in a terminal of its own, as over ssh; what it draws is in `drawn`."""

    def __init__(self, *words, **environment):
        self.drawn = b""
        self.child, self.file = pty.fork()
        if self.child == 0:
            os.execve(ZEROTH, [str(ZEROTH), *words], process.clean_environment(**environment))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            os.kill(self.child, signal.SIGKILL)
        if self.file >= 0:
            self.close()

    def read(self):
        """False when the other side has closed, which Linux tells as a fault."""
        try:
            part = os.read(self.file, 65536)
        except OSError:
            part = b""
        self.drawn += part
        return bool(part)

    def until(self, holds):
        while not holds(self.drawn):
            if not self.read():
                raise AssertionError(f"it ended; {self.drawn[-2000:]!r}")

    def write(self, keys):
        os.write(self.file, keys)

    def resize(self, rows, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def close(self):
        os.close(self.file)
        self.file = -1

    def end(self):
        """Its exit status."""
        while self.file >= 0 and self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


def recorded(name, root):
    """Lays out a recorded machine of the sysman tests (their machine.hpp says what the text means)."""
    lines = iter((process.SOURCE / "tests/sysman/machines" / f"{name}.tree").read_text().splitlines())
    for line in lines:
        if not line or line.startswith("#"):
            continue
        path, _, rest = line.partition(" ")
        place = root / path.lstrip("/")
        if path.endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if rest.startswith("-> "):
            place.symlink_to(rest[3:])
        elif rest == "<<":
            place.write_text("".join(f"{one}\n" for one in iter(lambda: next(lines), ".")))
        else:
            place.write_text(rest.removeprefix("= ") + "\n")
    return root


class Sysman(Cli):
    def test_table_and_json_tell_the_same(self):
        devices = json.loads(self.zeroth("sysman", "--json"))["devices"]
        self.assertGreaterEqual(len(devices), 1)
        memory = devices[0]["memory"][0]
        self.assertLess(memory["free bytes"], memory["bytes"])
        text = self.zeroth("sysman")
        self.assertIn(devices[0]["name"], text)
        self.assertIn(devices[0]["uuid"], text)

    def test_names_file_and_right_of_what_may_not_be_read(self):
        zone = self.folder / "root/sys/class/powercap/intel-rapl:0"
        zone.mkdir(parents=True)
        (zone / "name").write_text("package-0\n")
        (zone / "energy_uj").mkdir()  # what may not be read by anybody
        config = self.file("sysman.yaml", f"drivers: [cpu]\noverlays: [{{plugin: sysman, options: {{root: '{self.folder / 'root'}'}}}}]\n")
        report = json.loads(self.zeroth("sysman", "--json", ZEROTH_CONFIG=config))["devices"][0]
        self.assertNotIn("joules", report["power"][0])
        self.assertRegex(" ".join(report["unreadable"]), r"intel-rapl:0/energy_uj")

    def test_top_prints_plain_lines_into_a_pipe(self):
        lines = self.zeroth("top", "--count", "2", "--interval", "0.1").splitlines()
        self.assertEqual(len(lines), 2 * len(json.loads(self.zeroth("sysman", "--json"))["devices"]))
        self.assertRegex(lines[0], r"^.+: busy (\d+ %|-), memory \d+ %, power ")
        self.assertNotIn("\033", "".join(lines))

    def test_top_draws_in_a_terminal_until_q(self):
        with Terminal("top", "--interval", "0.1", TERM="xterm") as terminal:
            terminal.until(lambda drawn: drawn.count(b"memory") >= 3)
            terminal.write(b"q")
            self.assertEqual(terminal.end(), 0)
        text = terminal.drawn.decode()
        self.assertTrue(text.startswith("\033[?1049h"))
        self.assertTrue(text.rstrip().endswith("\033[?25h\033[?1049l"), repr(text[-60:]))
        self.assertIn("|", text)

    def test_top_is_plain_lines_in_a_terminal_that_cannot_move_its_cursor(self):
        for kind in ("dumb", ""):
            with Terminal("top", "--count", "2", "--interval", "0.05", TERM=kind) as terminal:
                self.assertEqual(terminal.end(), 0)
            self.assertNotIn(b"\033", terminal.drawn)
            self.assertGreaterEqual(terminal.drawn.count(b": busy "), 2, terminal.drawn)

    def test_top_follows_the_size_of_its_window(self):
        with Terminal("top", "--interval", "3600", TERM="xterm") as terminal:
            terminal.until(lambda drawn: drawn.count(b"\033[J") >= 1)
            for rows, columns in ((3, 20), (1, 1), (50, 200)):
                shown = terminal.drawn.count(b"\033[J")
                terminal.resize(rows, columns)
                terminal.until(lambda drawn: drawn.count(b"\033[J") > shown)  # at once, not in an hour
                self.assertLess(terminal.drawn.split(b"\033[H")[-1].count(b"\n"), rows, terminal.drawn)
            terminal.write(b"xyz\033[Aq")  # keys without a meaning, an arrow, then the one that ends
            self.assertEqual(terminal.end(), 0)

    def test_top_shows_many_devices_in_a_window_that_is_too_small_for_them(self):
        machine = recorded("gpus", self.folder / "root")
        options = f"{{root: '{machine}', nvml: ''}}"
        config = self.file("gpus.yaml", f"drivers: [cpu]\noverlays: [{{plugin: sysman, options: {options}}}]\n")
        devices = len(json.loads(self.zeroth("sysman", "--json", ZEROTH_CONFIG=config))["devices"])
        self.assertGreaterEqual(devices, 4)
        with Terminal("top", "--interval", "3600", TERM="xterm", ZEROTH_CONFIG=config) as terminal:
            terminal.resize(3, 80)
            terminal.until(lambda drawn: b"%d more devices below the window" % (devices - 2) in drawn)
            terminal.resize(devices + 1, 80)
            terminal.until(lambda drawn: drawn.split(b"\033[H")[-1].count(b": busy ") == devices)
            terminal.resize(100, 80)
            terminal.until(lambda drawn: drawn.split(b"\033[H")[-1].count(b"memory [") >= 2)
            terminal.write(b"q")
            self.assertEqual(terminal.end(), 0)

    def test_top_ends_when_its_terminal_goes(self):
        terminal = Terminal("top", "--interval", "0.05", TERM="xterm")
        terminal.until(lambda drawn: b"\033[J" in drawn)
        terminal.close()
        self.assertEqual(terminal.end(), 0)

    def test_top_gives_the_terminal_back_while_it_is_stopped(self):
        with Terminal("top", "--interval", "0.05", TERM="xterm") as terminal:
            terminal.until(lambda drawn: b"\033[J" in drawn)
            terminal.write(b"\032")  # Ctrl-Z
            self.assertTrue(os.WIFSTOPPED(os.waitpid(terminal.child, os.WUNTRACED)[1]))
            terminal.until(lambda drawn: drawn.endswith(b"\033[?1049l"))
            shown = len(terminal.drawn)
            os.kill(terminal.child, signal.SIGCONT)
            terminal.until(lambda drawn: b"\033[?1049h" in drawn[shown:] and b"\033[J" in drawn[shown:])
            terminal.write(b"\003")
            self.assertEqual(terminal.end(), 0)
            self.assertTrue(terminal.drawn.endswith(b"\033[?1049l"))

    def test_top_ends_with_what_reads_its_pipe(self):
        command = [str(ZEROTH), "top", "--interval", "0.05"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=process.clean_environment()) as top:
            self.assertIn(b": busy ", top.stdout.readline())
            top.stdout.close()
            self.assertEqual(top.wait(30), -signal.SIGPIPE)

    def test_metrics_are_printed_and_written(self):
        printed = self.zeroth("top", "--prometheus")
        self.assertRegex(printed, r'(?m)^zeroth_memory_size_bytes\{device="0",.*\} \S+$')
        path = self.folder / "metrics.prom"
        self.zeroth("top", "--count", "1", "--prometheus", path)
        self.assertIn("# TYPE zeroth_engine_active_seconds_total counter", path.read_text())

    def test_metrics_are_served_on_a_port(self):
        command = [str(ZEROTH), "top", "--count", "1", "--prometheus", ":0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=process.clean_environment()) as server:
            address = server.stdout.readline().split()[-1]
            with urllib.request.urlopen(address, timeout=30) as answer:
                self.assertIn("text/plain", answer.headers["Content-Type"])
                self.assertIn("zeroth_memory_free_bytes", answer.read().decode())
            self.assertEqual(server.wait(30), 0)

    def test_many_ask_for_metrics_at_once_beside_silent_and_vanishing_ones(self):
        askers, pages = 12, []
        command = [str(ZEROTH), "top", "--prometheus", ":0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=process.clean_environment()) as server:
            address = server.stdout.readline().split()[-1]
            place = ("127.0.0.1", int(re.search(r":(\d+)/", address)[1]))
            silent = [socket.create_connection(place) for _ in range(5)]  # say nothing
            slow = socket.create_connection(place)  # says it in pieces
            slow.sendall(b"GET /metrics HT")
            for last_words in (b"", b"GET /metrics HTTP/1.1\r\n\r\n"):
                for _ in range(5):
                    gone = socket.create_connection(place)
                    gone.sendall(last_words)
                    gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
                    gone.close()

            def ask():
                with urllib.request.urlopen(address, timeout=30) as answer:
                    pages.append(answer.read().decode())

            threads = [threading.Thread(target=ask) for _ in range(askers)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            slow.sendall(b"TP/1.1\r\n\r\n")
            self.assertIn(b"zeroth_memory_free_bytes", b"".join(iter(lambda: slow.recv(65536), b"")))
            for one in [*silent, slow]:
                one.close()
            self.assertEqual(len(pages), askers)
            for page in pages:
                self.assertIn("zeroth_memory_free_bytes", page)
                self.assertTrue(page.endswith("\n"))
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    unittest.main(verbosity=2)
