"""Frames into an animated GIF: same frames, same bytes."""

import io
from collections.abc import Iterable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image


def gif(frames: Iterable[Figure], seconds_a_frame: float) -> bytes:
    """An endless GIF of matplotlib figures at 110 dots an inch, all in the first frame's adaptive palette.

    Args:
        frames: figures of one size; each is closed once drawn.
        seconds_a_frame: how long a frame stays.

    Raises:
        ValueError: there is no frame.
    """
    images = []
    for figure in frames:
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        images.append(Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy()))
        plt.close(figure)
    if not images:
        raise ValueError("an animation needs at least one frame")
    palette = images[0].quantize(colors=128, dither=Image.Dither.NONE)
    quantized = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    buffer = io.BytesIO()
    quantized[0].save(buffer, format="GIF", save_all=True, append_images=quantized[1:], duration=round(1000 * seconds_a_frame), loop=0)
    return buffer.getvalue()
