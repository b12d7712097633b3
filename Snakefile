import os
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.0")

if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


# Used with --software-deployment-method conda, or apptainer (the Containerfile says how to build the image).
conda: "environment.yml"


container: "hardmax.sif"


# The workflow and its jobs use the package beside it, installed or not.
SOURCE = str(Path(workflow.basedir) / "src")
sys.path.insert(0, SOURCE)
os.environ.update(
    PYTHONPATH=os.pathsep.join([SOURCE, *filter(None, [os.getenv("PYTHONPATH")])])
)


include: "workflow/rules/common.smk"


check_config()


include: "workflow/rules/data.smk"
include: "workflow/rules/clustering.smk"
include: "workflow/rules/interpolation.smk"
include: "workflow/rules/frank_wolfe.smk"
include: "workflow/rules/metastability.smk"
include: "workflow/rules/sentiment.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/audit.smk"


rule all:
    default_target: True
    input:
        rules.tables.input,
        rules.figures.input,
        rules.audit.input,


onerror:
    print(
        "What is done is kept: the same command goes on from here. After a Snakemake that was killed: make recover.",
        file=sys.stderr,
    )
