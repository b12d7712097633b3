from snakemake.utils import min_version

min_version("9.0")

if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


container: "docker://ghcr.io/hardmax/hardmax:0.1.0"


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
        rules.figures.input,
        rules.audit.input,
