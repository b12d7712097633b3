"""Two Snakemakes in one folder: the second says why it stops, and the first ends with the same bytes."""

from collections.abc import Callable

import pytest

from sandbox import Sandbox, wait_for

pytestmark = pytest.mark.faults


def test_second_driver_and_recovery_are_refused(begun: Sandbox, same: Callable[[Sandbox], None]) -> None:
    first = begun.start()
    wait_for(begun.jobs, what="a running job")
    held = begun.jobs()
    for job in held:
        job.suspend()  # so that the first is at work for as long as the others look
    second = begun.run()
    assert second.returncode != 0
    assert "Directory cannot be locked" in second.stdout
    recovery = begun.recover()
    assert recovery.returncode == 1
    assert recovery.stdout.count("\n") == 1
    assert "a Snakemake is at work here" in recovery.stdout
    for job in held:
        job.resume()
    assert first.wait(300) == 0, begun.said[-4000:]
    same(begun)
