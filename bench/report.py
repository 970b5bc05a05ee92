"""What the benchmark scripts share: the machine in words, tables, stored runs and their comparison."""

import datetime
import json
import math
import os
import pathlib
import platform
import statistics

ROOT = pathlib.Path(__file__).resolve().parents[1]


def machine():
    """The facts that make two runs comparable."""
    names = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    memory = [int(line.split()[1]) // 2**20 for line in pathlib.Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal")]
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")
    return {
        "cpu": names[0] if names else "unknown",
        "threads": len(os.sched_getaffinity(0)),
        "memory GiB": memory[0],
        "system": system,
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 2),
    }


def machine_line(facts):
    text = f"{facts['cpu']}, {facts['threads']} threads, {facts['memory GiB']} GiB, {facts['system']}"
    busy = facts["load"] > 0.5
    return text + (f"\nLoad average {facts['load']}: the machine is busy, trust ratios only." if busy else "")


def number(value):
    """Three significant digits; a dash for what was not measured."""
    if value is None:
        return "-"
    if value == 0 or not math.isfinite(value):
        return str(value)
    digits = max(0, 2 - int(math.floor(math.log10(abs(value)))))
    return f"{value:.{digits}f}"


def table(head, rows):
    """Aligned text: the first column left, the others right."""
    cells = [head] + [[c if isinstance(c, str) else number(c) for c in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = ["  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip() for row in cells]
    return "\n".join([lines[0], "-" * len(lines[0])] + lines[1:])


def geometric_mean(values):
    values = [v for v in values if v]
    return math.exp(statistics.fmean(math.log(v) for v in values)) if values else None


def store(path, kind, results):
    """Writes one run as JSON: kind, time, machine, results."""
    run = {"kind": kind, "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "machine": machine(), "results": results}
    pathlib.Path(path).write_text(json.dumps(run, indent=1) + "\n")


def load(path, kind):
    try:
        run = json.loads(pathlib.Path(path).read_text())
        found = run["kind"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path} cannot be read as a stored run: {error}")
    if found != kind:
        raise SystemExit(f"{path} holds a run of {found}, not of {kind}")
    return run


def build_folder(preset):
    folder = ROOT / "build" / preset
    if not (folder / "build.ninja").exists():
        raise SystemExit(f"{folder} is not configured: run tools/test or cmake --preset {preset} first")
    return folder
