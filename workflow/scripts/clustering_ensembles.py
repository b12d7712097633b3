import pandas as pd

from hardmax.audit.job import job
from hardmax.clustering.ensembles import generic, mirrored

with job(snakemake) as j:
    parts = [generic(j.stream("generic"), **j.params["generic"]), mirrored(j.stream("mirrored"), **j.params["mirrored"])]
    j.save("table", pd.concat(parts, ignore_index=True))
