"""The energy of tokens beside the bound of FW-3, where it holds and where it does not."""

import pandas as pd
from matplotlib.figure import Figure

from hardmax.figures import style


def draw(energies: pd.DataFrame) -> Figure:
    """See the caption.

    Args:
        energies: the table frank_wolfe_energies.
    """
    clouds = list(dict.fromkeys(energies["cloud"]))
    figure, grid = style.subplots(1, len(clouds), width="page", height=2.9, squeeze=False, sharex=True)
    for axes, cloud in zip(grid.flat, clouds, strict=True):
        rows = energies[energies["cloud"] == cloud]
        t = rows["step"] + 1
        axes.loglog(t, rows["bound"], label="bound of FW-3", **style.BOUND)
        axes.loglog(t, rows["energy"], color=style.PALETTE[0], label="largest energy of a token")
        least = rows["least"].where(rows["least"] > 1e-6 * rows["bound"])
        if least.notna().any():
            axes.loglog(t, least, color=style.PALETTE[2], linestyle="-.", linewidth=1.0, label="least energy in the hull")
        broken = rows["energy"] > rows["bound"]
        if broken.any():
            first = int(t[broken].min())
            axes.axvspan(first, int(t.max()), color=style.PALETTE[1], alpha=0.12, linewidth=0, label="bound violated")
        axes.set(title=cloud.replace(", ", ",\n").replace("-", "−"), xlabel="step t + 1")
    grid[0, 0].set_ylabel(r"energy $J_*(x_i^{t+1})$ (squared units)")
    handles = {label: handle for axes in grid.flat for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(list(handles.values()), list(handles), loc="outside lower center", ncols=4)
    return figure
