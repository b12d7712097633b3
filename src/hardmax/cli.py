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
    from hardmax.claims.statements import MODULES, statement, statements

    if options.list:
        for prefix in MODULES:
            for claim, stated in statements(prefix).items():
                print(f"{claim:6} {stated.text}")
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


if __name__ == "__main__":
    sys.exit(main())
