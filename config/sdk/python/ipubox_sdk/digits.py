"""Digits that ipubox draws, for a machine without the files of MNIST."""
import subprocess

from ipubox_sdk.device import find_file


def draw(part, count, seed=0):
    """Draw digits as mnist-pipeline does; part: "train" or "test".

    Returns the pixels, 28 x 28 bytes for each digit, and the labels, a byte
    for each.
    """
    command = [find_file(), "__ipubox", "__digits", part, str(count),
               str(seed)]
    drawn = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return drawn[count:], drawn[:count]
