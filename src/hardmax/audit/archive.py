"""One zip to deposit: results, cards, ledger, site, report, configuration, lock and source, readable without the repository.

The same results at the same commit give the same bytes.

    python -m hardmax.audit.archive -o results/hardmax-archive.zip
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from hardmax.audit.differences import PASSING
from hardmax.audit.provenance import Provenance, of_this_run
from hardmax.audit.verify import tree
from hardmax.errors import InputError

FOLDERS = ("tables", "figures", "models", "audit")

_README = """\
hardmax: the reproduction of three papers on hardmax attention, as it was run
==============================================================================

Open results/audit/index.html in a browser; it needs no network and no server. It is the ledger of claims, with a page for
each figure and each claim: the numbers, the code, the configuration, the seed and the data behind them.

results/audit/      the site, the ledger (claims.csv, amendments.csv), published values beside ours (published.csv),
                    counterexamples, the configuration of the run (configuration.yaml){report}
results/tables/     every table; beside each its card (.card.json): rule, configuration, random streams, inputs and source
                    modules with checksums, versions, host, cost, commit
results/figures/    every figure, vector and pixels, with cards
results/models/     weights that tables were computed from, where the configuration trains any
source/             the source at commit {commit}, with the lock of its environment (requirements.txt);
                    source/README.md says how to run it
MANIFEST.sha256     checksum of every file: sha256sum --check MANIFEST.sha256
"""


def source(root: Path) -> tuple[dict[str, bytes], str]:
    """Files of the source at the commit, and the commit; outside a repository, the working tree.

    Raises:
        InputError: tracked files differ from the commit.
    """
    names = tree(root)
    head = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    if head.returncode != 0:
        return {name: (root / name).read_bytes() for name in names}, "unknown (not a git repository)"
    status = ["git", "-C", str(root), "--no-optional-locks", "status", "--porcelain", "--untracked-files=no"]
    changes = subprocess.run(status, capture_output=True, text=True, check=True).stdout.splitlines()
    if changes:
        raise InputError(
            f"working tree: expected the files of the commit, found {len(changes)} changed, {changes[0].strip()!r} first; commit them"
        )
    packed = subprocess.run(["git", "-C", str(root), "archive", "--format=tar", "HEAD"], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        members = [member for member in tar.getmembers() if member.isfile()]
        files = {member.name: handle.read() for member in members if (handle := tar.extractfile(member)) is not None}
    return files, head.stdout.strip()


def results(root: Path) -> dict[str, Path]:
    """Files of the results that are worth keeping, by path in the archive; not what another configuration left behind.

    Raises:
        InputError: there is no ledger or no site.
    """
    for needed in ("results/audit/claims.csv", "results/audit/index.html"):
        if not (root / needed).is_file():
            raise InputError(f"{needed}: expected the results of a finished run, found none; make reproduce first")
    found = {}
    current = of_this_run(root)
    for folder in FOLDERS:
        for path in sorted((root / "results" / folder).rglob("*")):
            name = path.relative_to(root)
            wanted = folder == "audit" or name.as_posix() in current
            if wanted and path.is_file() and not any(part.startswith(".") or part in PASSING for part in name.parts):
                found[name.as_posix()] = path
    return found


def check_source(root: Path, files: Mapping[str, bytes]) -> None:
    """Check that the results were made by this source: every module of every card of this run has the checksum it has here.

    Raises:
        InputError: names the first that differs, and the rule whose card says so.
    """
    checksums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    current = of_this_run(root)
    for path, card in Provenance.of_folder(root / "results").by_output.items():
        for item in card["sources"]:
            if path in current and checksums.get(item["path"]) not in (None, item["sha256"]):
                raise InputError(f"{item['path']}: expected the module that rule {card['rule']} ran, found another; make reproduce again")


def write(root: Path, target: Path) -> int:
    """Write the archive; returns the number of its files.

    Raises:
        InputError: results are missing, or are not of this source.
    """
    code, commit = source(root)
    kept = {name: path for name, path in results(root).items() if path.resolve() != target.resolve()}
    check_source(root, code)
    has_report = "results/audit/report.html" in kept
    readme = _README.format(commit=commit, report=",\n                    Snakemake's report (report.html)" if has_report else "")
    data = {name: path.read_bytes() for name, path in kept.items()}
    data |= {f"source/{name}": content for name, content in code.items()} | {"README.txt": readme.encode()}
    manifest = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(data.items()))
    data["MANIFEST.sha256"] = manifest.encode()
    temporary = target.with_name(f".{os.getpid()}.{target.name}")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            for name, content in sorted(data.items()):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system = 3
                entry.external_attr = 0o100644 << 16
                archive.writestr(entry, content)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return len(data)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 0 where the archive was written, 2 where it could not be."""
    parser = argparse.ArgumentParser(prog="python -m hardmax.audit.archive", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("-o", "--output", default="results/hardmax-archive.zip", help="the zip (default: %(default)s)")
    options = parser.parse_args(arguments)
    target = Path(options.output)
    try:
        count = write(Path.cwd(), target)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    checksum = hashlib.sha256(target.read_bytes()).hexdigest()
    print(f"{target}: {count} files, {target.stat().st_size / 2**20:.1f} MiB, sha256 {checksum}")
    if not Path("results/audit/report.html").is_file():
        print("without Snakemake's report; make reproduce writes it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
