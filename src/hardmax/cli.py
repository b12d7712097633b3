"""The console command `hardmax`: a thin dispatcher; each subcommand imports what it needs when it runs."""

import argparse
import sys
from collections.abc import Sequence

from hardmax.errors import InputError

USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit code: 2 for bad usage or bad input, in one line on standard error."""
    parser = argparse.ArgumentParser(prog="hardmax", description="Reproduction of hardmax attention theory.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    _falsify_arguments(commands.add_parser("falsify", help="search for a counterexample to a claim"))
    _recheck_arguments(commands.add_parser("recheck", help="check a counterexample from its file alone"))
    _interpolate_arguments(commands.add_parser("interpolate", help="build a transformer that interpolates a data set exactly"))
    _certify_arguments(commands.add_parser("certify", help="check in rational arithmetic that a transformer interpolates a data set"))
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except InputError as error:
        print(f"hardmax {options.command}: {error}", file=sys.stderr)
        return USAGE


def _falsify_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Search for a counterexample to a claim as written. The smallest one is printed as JSON on the last line. "
        "Exit code 0: none found; 1: found; 2: bad usage."
    )
    parser.add_argument("claim", nargs="?", help="the claim's id, as FW-3")
    parser.add_argument("--trials", type=int, default=10_000, help="random trials a variant (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="root seed (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the claims and leave")
    parser.set_defaults(run=_falsify)


def _falsify(options: argparse.Namespace) -> int:
    from hardmax.claims.statements import FROM_TABLES, MODULES, statement, statements

    if options.list:
        for prefix in MODULES:
            for claim, stated in statements(prefix).items():
                print(f"{claim:6} {stated.text}")
        print(f"{FROM_TABLES:6} claims about trained networks: judged from their tables by the workflow, snakemake audit")
        return 0
    if options.claim is None:
        raise InputError("expected a claim, as FW-3, or --list")
    from hardmax.falsify import AS_WRITTEN, falsify
    from hardmax.randomness import stream

    rng = stream(options.seed, "falsify", claim=options.claim)
    table = falsify(statement(options.claim), rng, options.trials)
    columns = ["variant", "family", "trials", "met", "violations", "on_tie", "worst_margin", "measured", "relation", "bound"]
    print(table[columns].to_string(index=False))
    found = table.loc[table["variant"] == AS_WRITTEN, "counterexample"].dropna()
    if found.empty:
        return 0
    print(found.item())
    return 1


def _recheck_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compute the violation of a counterexample's file anew: an exact one in rationals, where both sides must agree with the file. "
        "Exit code 0: it breaks the statement; 1: it does not; 2: bad input."
    )
    parser.add_argument("file", metavar="COUNTEREXAMPLE.json", help="the file, as results/audit/counterexamples holds it")
    parser.set_defaults(run=_recheck)


def _recheck(options: argparse.Namespace) -> int:
    from hardmax.audit.formats import read
    from hardmax.claims.statements import statement
    from hardmax.falsify import reverify

    document = read(options.file)
    if not isinstance(document, dict) or not isinstance(document.get("claim"), str):
        raise InputError(f"{options.file}: expected a counterexample with its claim, found something else")
    breaks = reverify(statement(document["claim"]), document)
    print(f"{options.file}: {'breaks' if breaks else 'does NOT break'} {document['claim']} {document['variant']}")
    return 0 if breaks else 1


def _interpolate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        'Build a transformer that sends every sequence of DATA.json, {"sequences": [[[...], ...], ...], "targets": [...]} with '
        'numbers or "p/q", exactly to its targets (lists of points, or integer labels), and write it as JSON with rationals.'
    )
    parser.add_argument("data", metavar="DATA.json", help="the data set")
    parser.add_argument("-o", "--output", metavar="NET.json", required=True, help="where to write the network")
    parser.add_argument("--construction", choices=["compact", "leaders"], default="compact", help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="decides among directions (default: %(default)s)")
    parser.set_defaults(run=_interpolate)


def _interpolate(options: argparse.Namespace) -> int:
    from hardmax.interpolation import interpolate
    from hardmax.interpolation.io import check_destination, read_data

    check_destination(options.output)
    sequences, targets = read_data(options.data)
    network = interpolate(sequences, targets, construction=options.construction, seed=options.seed, progress=True)
    network.save(options.output)
    print(f"{options.output}: {network.depth} blocks, {network.parameter_count} free parameters, {len(sequences)} sequences")
    return 0


def _certify_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Evaluate NET.json on DATA.json in rational arithmetic. Exit code 0: exact; 1: not exact; 2: bad input."
    parser.add_argument("network", metavar="NET.json", help="the network, as `hardmax interpolate` writes it")
    parser.add_argument("data", metavar="DATA.json", help="the data set")
    parser.set_defaults(run=_certify)


def _certify(options: argparse.Namespace) -> int:
    from hardmax.interpolation import Network, certify
    from hardmax.interpolation.io import read_data

    report = certify(Network.load(options.network), *read_data(options.data), progress=True)
    for failure in report.failures:
        print(f"sequence {failure.sequence}: {len(failure.missing)} targets missed, {len(failure.unexpected)} images elsewhere")
    print(
        f"{'exact' if report.exact else 'NOT exact'} on {report.sequences} sequences; least gap {report.margins.least_gap:.3g}, "
        f"largest coordinate {report.margins.largest_coordinate:.3g}, float64 error {report.float64_error:.3g}"
    )
    return 0 if report.exact else 1


if __name__ == "__main__":
    sys.exit(main())
