"""Images of grey pixels: those of PIL where it is installed."""

import functools
import importlib

import numpy


@functools.lru_cache(maxsize=None)
def _pil():
    """PIL's module of images, or None."""
    try:
        return importlib.import_module("PIL.Image")
    except ImportError:
        return None


class GreyImage:
    """What stands for PIL's image of mode L where there is no PIL: its
    size and its pixels, which numpy.asarray() gives too."""

    mode = "L"

    def __init__(self, pixels):
        self._pixels = pixels
        self.height, self.width = pixels.shape
        self.size = self.width, self.height

    @property
    def __array_interface__(self):
        return self._pixels.__array_interface__

    def tobytes(self):
        """The pixels, row by row."""
        return self._pixels.tobytes()

    def getbands(self):
        """The names of its channels."""
        return (self.mode,)


def grey_image(pixels):
    """An image of a tensor of bytes."""
    pixels = pixels.numpy()
    pil = _pil()
    return GreyImage(pixels) if pil is None else pil.fromarray(pixels)


def is_image(thing):
    """Whether it is an image of PIL's or of ours."""
    if isinstance(thing, GreyImage):
        return True
    pil = _pil()
    return pil is not None and isinstance(thing, pil.Image)


def pixels_of(image):
    """An array of an image's pixels: height, width, channels."""
    kinds = {"I": numpy.int32, "I;16": numpy.int16, "F": numpy.float32}
    pixels = numpy.array(image, kinds.get(image.mode, numpy.uint8))
    if image.mode == "1":
        pixels *= 255
    return pixels.reshape(image.size[1], image.size[0],
                          len(image.getbands()))
