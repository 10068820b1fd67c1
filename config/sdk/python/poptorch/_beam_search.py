"""The most likely sentences of a classifier of frames: what CTC decoding by
beam search finds."""
import math

_NEVER = -math.inf


def _sum(one, other):
    """The logarithm of the sum of two probabilities."""
    if one < other:
        one, other = other, one
    if other == _NEVER:
        return one
    return one + math.log1p(math.exp(other - one))


class _Beam:
    """The probabilities of a sentence so far: of the ways that end in blank,
    and of those that end in its last word."""

    __slots__ = ("blank", "word")

    def __init__(self):
        self.blank = self.word = _NEVER

    @property
    def total(self):
        """Of all ways."""
        return _sum(self.blank, self.word)


def _step(beams, frame, blank):
    """The sentences after one more frame: the logarithm of each class."""
    made = {}

    def of(sentence):
        return made.setdefault(sentence, _Beam())

    for sentence, beam in beams.items():
        same = of(sentence)
        same.blank = _sum(same.blank, beam.total + frame[blank])
        for word, share in enumerate(frame):
            if word == blank:
                continue
            longer = of(sentence + (word,))
            if sentence and sentence[-1] == word:
                # Without a blank between them they are one word.
                same.word = _sum(same.word, beam.word + share)
                longer.word = _sum(longer.word, beam.blank + share)
            else:
                longer.word = _sum(longer.word, beam.total + share)
    return made


def search(frames, blank, width):
    """(logarithm of the probability, sentence) of the most likely ones, at
    most width, the best first."""
    begin = _Beam()
    begin.blank = 0.0
    beams = {(): begin}
    for frame in frames:
        made = _step(beams, frame, blank)
        best = sorted(made, key=lambda each: made[each].total, reverse=True)
        beams = {each: made[each] for each in best[:width]}
    return [(beam.total, sentence) for sentence, beam in beams.items()]
