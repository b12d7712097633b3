"""Run a configuration again in a scratch folder and compare every table and figure with the results at hand, byte for byte.

On the same machine nothing may differ, whatever the number of cores. On another one, tables are compared with the committed
summary of a reference run, within the tolerances of `tolerances.yaml`.

    python -m hardmax.audit.verify --config config/smoke.yaml --cores 1 2
    python -m hardmax.audit.verify --config config/smoke.yaml --reference-only
    python -m hardmax.audit.verify --config config/smoke.yaml --write-reference
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from hardmax.audit import reference
from hardmax.audit.differences import Difference, compare_folders
from hardmax.configuration import load_yaml
from hardmax.errors import InputError

_SKIPPED = {"results", "build", "dist", "data"}


def tree(root: Path) -> list[str]:
    """Files of the working tree that git tracks; outside a repository, all but results, caches and environments.

    Raises:
        InputError: there is no Snakefile.
    """
    if not (root / "Snakefile").is_file():
        raise InputError(f"{root}: expected the root of the project, found no Snakefile")
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        names = [name for name in listed.stdout.split("\0") if name]
    else:
        files = (path.relative_to(root) for path in root.rglob("*"))
        names = [
            file.as_posix()
            for file in files
            if file.parts[0] not in _SKIPPED and not any(part.startswith(".") or part == "__pycache__" for part in file.parts)
        ]
    return sorted(name for name in names if (root / name).is_file())


def copy_tree(root: Path, target: Path, config: str) -> None:
    """Copy the working tree, and the configuration and the data it names where git does not track them."""
    extra = [config]
    data = (load_yaml(root / config) or {}).get("data") or {}
    if data.get("path") and not Path(data["path"]).is_absolute():
        extra.append(data["path"])
    for name in [*tree(root), *extra]:
        if Path(name).is_absolute() or (target / name).exists():
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (root / name).is_dir():
            (target / name).symlink_to((root / name).resolve())
        elif (root / name).is_file():
            shutil.copy(root / name, target / name)


def snakemake(folder: Path, config: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the workflow of a folder with the package of that folder."""
    paths = [str(folder / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "snakemake", "--configfile", config, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def finished(root: Path, config: str) -> bool:
    """Whether the results at hand are those of this configuration and this code, whole."""
    if not (root / "results/audit/claims.csv").is_file():
        return False
    plan = snakemake(root, config, "--dry-run", "--cores", "1")
    return plan.returncode == 0 and "Nothing to be done" in plan.stdout + plan.stderr


def rerun(root: Path, config: str, cores: int, folder: Path) -> Path:
    """Results of a new run in a scratch folder.

    Raises:
        InputError: a job failed; the folder stays.
    """
    folder.mkdir(parents=True)
    copy_tree(root, folder, config)
    print(f"running {config} on {cores} {'core' if cores == 1 else 'cores'} in {folder}", flush=True)
    done = snakemake(folder, config, "--cores", str(cores))
    if done.returncode != 0:
        (folder / "verify.log").write_text(done.stdout + done.stderr)
        last = [line for line in done.stderr.splitlines() if "rror" in line][:1]
        raise InputError(f"{folder}: the run failed ({' '.join(last) or 'no message'}); its log is {folder / 'verify.log'}")
    return folder / "results"


def report(differences: Sequence[Difference], limit: int = 40) -> None:
    """Print what differs and where it first does."""
    for difference in differences[:limit]:
        print(f"  {difference.path}: {difference.where}")
    if len(differences) > limit:
        print(f"  and {len(differences) - limit} more")


def against_reference(results: Path, config: str, root: Path) -> int:
    """Compare results with the committed summary where that is of this configuration; returns how many differences are beyond tolerance."""
    expected = reference.load()
    values = load_yaml(root / config)
    if expected is None or expected["digest"] != reference.digest(values):
        print(f"reference: none for {config}" + ("" if expected is None else f", the one committed is of {expected['config']} as it was"))
        return 0
    ours = reference.summary(results, values, config)
    same, beyond = reference.compare(expected, ours, reference.load_tolerances())
    changed = {name: version for name, version in ours["versions"].items() if expected["versions"].get(name, version) != version}
    print(
        f"reference ({expected['host'].get('platform', 'unknown host')}): {same} of {len(expected['files'])} files have its bytes, ", end=""
    )
    print(f"{len(beyond)} differences are beyond tolerance" + (f"; other versions here: {changed}" if changed else ""))
    report(beyond)
    return len(beyond)


def verify(root: Path, config: str, cores: Sequence[int], scratch: Path) -> int:
    """Run and compare; returns how many differences were found. Where no finished run is at hand, two new ones are compared.

    Raises:
        InputError: a run failed.
    """
    runs = [root / "results"] if finished(root, config) else []
    if not runs and len(cores) == 1:
        print(f"results: no finished run of {config}, so it is run twice")
        cores = [*cores, *cores]
    runs += [rerun(root, config, number, scratch / f"run_{count}_cores_{number}") for count, number in enumerate(cores, 1)]
    wrong = 0
    for first, second in combinations(runs, 2):
        same, differ = compare_folders(first, second)
        if first == root / "results":
            left_over = [each for each in differ if each.where == f"only in {first}"]
            differ = [each for each in differ if each not in left_over]
            if left_over:
                print(f"{len(left_over)} files at hand are of no job of {config} and are not compared")
        wrong += len(differ) + (not same)
        print(f"{first} and {second}: {len(same)} files are the same byte for byte, {len(differ)} differ")
        report(differ)
    return wrong + against_reference(runs[0], config, root)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 where nothing differs, 1 where something does, 2 where it could not be found out."""
    parser = argparse.ArgumentParser(prog="python -m hardmax.audit.verify", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--config", default="config/config.yaml", help="configuration file (default: %(default)s)")
    parser.add_argument(
        "--cores", type=int, nargs="+", default=[2], help="cores; several numbers give a run each, compared with one another"
    )
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--reference-only", action="store_true", help="compare the results at hand with the committed summary, run nothing")
    modes.add_argument("--write-reference", action="store_true", help="make the results at hand the committed summary")
    options = parser.parse_args(arguments)
    root = Path.cwd()
    try:
        if options.write_reference or options.reference_only:
            if not finished(root, options.config):
                raise InputError(
                    f"results: expected a finished run of {options.config}, found none; make reproduce CONFIG={options.config} first"
                )
            if options.write_reference:
                reference.write(reference.FILE, reference.summary(root / "results", load_yaml(root / options.config), options.config))
                print(f"written: {reference.FILE}")
                return 0
            return int(against_reference(root / "results", options.config, root) > 0)
        scratch = Path(tempfile.mkdtemp(prefix="hardmax-verify-"))
        wrong = verify(root, options.config, sorted(set(options.cores)), scratch)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if wrong:
        print(f"kept for a closer look: {scratch}")
        return 1
    shutil.rmtree(scratch)
    print("verified: nothing differs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
