"""Digits of seven segments, in the files of MNIST.

usage: digits.py DIR TRAINING-IMAGES TEST-IMAGES
"""
import os
import random
import struct
import sys

# Upper, upper left, upper right, middle, lower left, lower right, lower.
_SEGMENTS = ("1110111", "0010010", "1011101", "1011011", "0111010",
             "1101011", "1101111", "1010010", "1111111", "1111011")
_PLACES = ((0, 0, 8, 2), (0, 0, 2, 8), (6, 0, 2, 8), (0, 6, 8, 2),
           (0, 7, 2, 8), (6, 7, 2, 8), (0, 13, 8, 2))


# Noise is dark.
_DARK = bytes(value // 4 for value in range(256))


def image(digit, chance):
    """28 x 28 bytes: the digit somewhere, with some noise about it."""
    noise = chance.getrandbits(784 * 8).to_bytes(784, "big")
    pixels = bytearray(noise.translate(_DARK))
    left, top = chance.randrange(4, 14), chance.randrange(3, 9)
    for lit, (x, y, width, height) in zip(_SEGMENTS[digit], _PLACES):
        for row in range(height if lit == "1" else 0):
            start = (top + y + row) * 28 + left + x
            pixels[start:start + width] = b"\xdd" * width
    return bytes(pixels)


def write(directory, name, count):
    chance = random.Random(name)
    labels = [chance.randrange(10) for _ in range(count)]
    for kind, header, rows in (
            ("images-idx3", (0x803, count, 28, 28),
             [image(label, chance) for label in labels]),
            ("labels-idx1", (0x801, count), [bytes(labels)])):
        path = os.path.join(directory, f"{name}-{kind}-ubyte")
        with open(path, "wb") as file:
            file.write(struct.pack(f">{len(header)}I", *header))
            file.writelines(rows)


if __name__ == "__main__":
    os.makedirs(sys.argv[1])
    write(sys.argv[1], "train", int(sys.argv[2]))
    write(sys.argv[1], "t10k", int(sys.argv[3]))
