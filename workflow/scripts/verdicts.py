from importlib import import_module
from pathlib import Path

import pandas as pd

from hardmax.audit.formats import read
from hardmax.audit.job import job
from hardmax.claims.verdict import COLUMNS
from hardmax.falsify import AS_WRITTEN

with job(snakemake) as j:
    tables = {f"falsification/{Path(path).stem}": read(path) for path in j.input.falsification}
    tables |= {key: read(path) for key, path in j.params["tables"].items()}
    found = import_module(f"hardmax.claims.{j.wildcards['topic']}").verdicts(tables)
    rows = []
    for verdict in found:
        figure = {"figure": j.params["figures"][verdict.claim]}
        rows.append({"variant": AS_WRITTEN} | verdict.row() | figure)
        rows += [{"variant": f"amendment-{number}"} | amended.row() | figure for number, amended in enumerate(verdict.amendments, 1)]
    j.save("table", pd.DataFrame(rows, columns=["variant", *COLUMNS]))
