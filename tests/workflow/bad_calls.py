"""Makes the library calls of bad_input.yaml and prints what their errors say, as JSON: in a process of its own, where no type checks are installed."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import torch
import yaml

from hardmax.dynamics import leader_averaging
from hardmax.errors import InputError


def _argument(value: object) -> object:
    match value:
        case {"tensor": numbers}:
            return torch.tensor(numbers, dtype=torch.float64)
        case {"array": numbers, **options}:
            array = np.array(numbers, dtype=np.int64 if options.get("integers") else np.float64)
            return array.reshape(options["shape"]) if "shape" in options else array
        case {"rule": alpha}:
            return leader_averaging(alpha)
    return value


def _said(name: str, arguments: dict) -> str:
    module, function = name.rsplit(".", 1)
    try:
        getattr(importlib.import_module(module), function)(**{key: _argument(value) for key, value in arguments.items()})
    except InputError as error:
        return str(error)
    return "nothing"


if __name__ == "__main__":
    cases = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))
    print(json.dumps({case["case"]: _said(case["call"], case["with"]) for case in cases if "call" in case}))
