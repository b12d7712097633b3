"""What every script of the workflow does around its one line of science: log, threads, seeds, atomic output, card."""

import errno
import logging
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hardmax.audit import formats
from hardmax.audit.card import card, check_card
from hardmax.audit.guards import check_inputs, check_sources
from hardmax.audit.schemas import check_table, load_schema
from hardmax.errors import InputError
from hardmax.randomness import seed_of, stream


def _limit_threads(threads: int) -> None:
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(threads)
    if numba := sys.modules.get("numba"):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))


class Job:
    """One job of the workflow, from the object Snakemake hands to a script.

    Attributes:
        params: the rule's parameters without the root seed: exactly the configuration it uses.
        input, output, wildcards: as in Snakemake.
        threads: how many threads the job may use.
    """

    def __init__(self, snakemake: Any) -> None:
        self.rule: str = snakemake.rule
        self.input, self.output = snakemake.input, snakemake.output
        self.wildcards = dict(snakemake.wildcards.items())
        self.params = {key: value for key, value in snakemake.params.items() if key != "seed"}
        self.threads: int = snakemake.threads
        self._seed = snakemake.params.get("seed")
        self._schemas = Path(snakemake.scriptdir).parent / "schemas"
        self._temporary: dict[Path, Path] = {}
        self._streams: list[str] = []

    def _labels(self, labels: tuple[str, ...]) -> dict[str, str]:
        if self._seed is None:
            raise KeyError(f"rule {self.rule} draws random numbers and needs `seed` among its params")
        named = self.wildcards | ({"label": ":".join(labels)} if labels else {})
        self._streams.append(" ".join([self.rule, *(f"{key}={value}" for key, value in sorted(named.items()))]))
        return named

    def stream(self, *labels: str) -> np.random.Generator:
        """The job's random stream, named by rule, wildcards and labels; noted in the card."""
        return stream(self._seed, self.rule, **self._labels(labels))

    def seed(self, *labels: str) -> int:
        """The same as a 63-bit integer."""
        return seed_of(self._seed, self.rule, **self._labels(labels))

    def read(self, name: str) -> Any:
        """The input called `name`: a DataFrame, dict, list or dict of arrays by its ending; a list of them for a list of files."""
        paths = self.input[name]
        return formats.read(paths) if isinstance(paths, str) else [formats.read(path) for path in paths]

    def path(self, name: str) -> Path:
        """Where to write the output called `name` by hand: a temporary file beside it, renamed when the job ends well."""
        return self._beside(Path(self.output[name]))

    def _beside(self, target: Path) -> Path:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{os.getpid()}.{target.name}")
        self._temporary[target] = temporary
        return temporary

    def save(self, name: str, value: Any) -> None:
        """Write a value to the output called `name`; a table is checked against its schema first.

        Where the output is a list of files, the value is a dict: file's stem -> value.
        """
        if not isinstance(self.output[name], str):
            for path in self.output[name]:
                self._write(Path(path), value[Path(path).stem])
            return
        self._write(Path(self.output[name]), value)

    def _write(self, target: Path, value: Any) -> None:
        if isinstance(value, pd.DataFrame):
            check_table(value, load_schema(target, self._schemas / "tables"), str(target))
        self._beside(target).write_bytes(formats.serialise(value, target.suffix))

    def _sources(self) -> list[str]:
        code = self.input.get("code", [])
        return [code] if isinstance(code, str) else list(code)

    def _inputs(self) -> list[str]:
        code = set(self._sources())
        return [path for path in self.input if path not in code]

    def _publish(self) -> None:
        check_sources(self._sources())
        for target, temporary in self._temporary.items():
            os.replace(temporary, target)
        cards = self.output.get("card", [])
        cards = [cards] if isinstance(cards, str) else list(cards)
        facts = card(
            rule=self.rule,
            wildcards=self.wildcards,
            configuration=self.params if self._seed is None else {"seed": self._seed} | self.params,
            streams=self._streams,
            inputs=self._inputs(),
            sources=self._sources(),
            outputs=[path for path in self.output if path not in cards and Path(path).exists()],
            threads=self.threads,
        )
        for path in cards:
            check_card(facts, self._schemas / "card.schema.yaml", path)
            temporary = self._beside(Path(path))
            temporary.write_bytes(formats.serialise(facts, ".json"))
            os.replace(temporary, path)

    def _discard(self) -> None:
        for temporary in self._temporary.values():
            with suppress(OSError):
                shutil.rmtree(temporary) if temporary.is_dir() else temporary.unlink()


@contextmanager
def job(snakemake: Any) -> Iterator[Job]:
    """Run the body as one job: what it prints goes to the rule's log, what it saves appears when it ends well, with its card.

    Bad input ends the process with one line on the terminal and in the log.
    """
    terminal = os.dup(2)
    if snakemake.log:
        log = Path(str(snakemake.log[0]))
        log.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    current = Job(snakemake)
    _limit_threads(current.threads)
    try:
        check_inputs(current._inputs())
        yield current
        current._publish()
    except BaseException as error:
        current._discard()
        full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        if not (full or isinstance(error, InputError)):
            raise
        reason = f"{Path(current.output[0]).parent}: no space left on the disk; free some and run again" if full else error
        for place in (terminal, 2):
            with suppress(OSError):
                os.write(place, f"error in rule {current.rule}: {reason}\n".encode())
        sys.exit(1)
