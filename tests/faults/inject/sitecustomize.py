"""Kills the process at one exact point of writing a file, once: on the path of the jobs of a test, Python runs this at its start.

FAULT_POINT is `<point> <name>`: `half` dies with half of the file's bytes written, `before` with all of them but before the file has
its name, `after` right after it has its name. FAULT_SPENT is a file that says that it happened.
"""

import os
import pathlib
import signal

point, name = os.environ["FAULT_POINT"].split()
spent = pathlib.Path(os.environ["FAULT_SPENT"])
write, replace = pathlib.Path.write_bytes, os.replace


def _die() -> None:
    spent.touch()
    os.kill(os.getpid(), signal.SIGKILL)


def _write(path, data):
    if point == "half" and path.name.endswith(name) and not spent.exists():
        write(path, data[: len(data) // 2])
        _die()
    return write(path, data)


def _replace(source, target, **options):
    mine = pathlib.Path(target).name == name and not spent.exists()
    if mine and point == "before":
        _die()
    replace(source, target, **options)
    if mine and point == "after":
        _die()


pathlib.Path.write_bytes, os.replace = _write, _replace
