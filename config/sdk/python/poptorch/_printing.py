"""Modules as text, with their blocks, and tensors, as an IPU prints them."""
import builtins
import sys

import torch


def module_repr(module):
    """The text of a module, with the blocks that begin in it and what else is
    called before it."""
    if not any(each._forward_pre_hooks for each in module.modules()):
        return repr(module)
    said = module.extra_repr()
    lines = said.split("\n") if said else []
    is_short = len(lines) == 1 and not module._modules
    for name, child in module._modules.items():
        text = "None" if child is None else module_repr(child)
        lines.append(f"({name}): " + text.replace("\n", "\n  "))
    inside = "\n  ".join(lines)
    if lines and not is_short:
        inside = f"\n  {inside}\n"
    hooks = "".join(f"{hook!r} "
                    for hook in module._forward_pre_hooks.values())
    return f"{hooks}{module._get_name()}({inside})"


def print(module):
    """Print a module as module_repr writes it, and anything else as it is."""
    builtins.print(module_repr(module) if isinstance(module, torch.nn.Module)
                   else module)


class Form:
    """How: the parameters of poptorch.ipu_print_tensor."""

    _KINDS = ("auto", "fixed", "scientific", "none")

    def __init__(self, summarise_threshold, edge_items, max_line_width,
                 digits, float_format, separator, open_bracket,
                 close_bracket):
        if float_format not in self._KINDS:
            raise KeyError(float_format)
        self._threshold = summarise_threshold
        self._edge = edge_items
        self._width = max_line_width
        self._digits = digits
        self._float_format = float_format
        self._separator = separator
        self._open = open_bracket
        self._close = close_bracket

    def print(self, title, tensor):
        """Write it to stderr."""
        text = self.text(tensor.detach())
        sys.stderr.write(f"{title}: {text}\n" if title else f"{text}\n")
        sys.stderr.flush()

    def text(self, tensor):
        """The tensor as text."""
        if tensor.dim() == 0:
            return self._numbers(tensor.reshape(1))[0]
        shown = self._shortened(tensor) \
            if tensor.numel() > self._threshold else tensor
        texts = self._numbers(shown.reshape(-1))
        wide = max(map(len, texts), default=0)
        self._rest = [text.rjust(wide) for text in texts]
        return self._nested(list(tensor.shape), "")

    def _shortened(self, tensor):
        """Its first and last elements along each dimension."""
        for dim, extent in enumerate(tensor.shape):
            if extent > 2 * self._edge:
                index = list(range(self._edge)) + \
                    list(range(extent - self._edge, extent))
                tensor = tensor.index_select(dim, torch.tensor(index))
        self._is_short = True
        return tensor

    def _nested(self, shape, indent):
        extent = shape[0]
        short = getattr(self, "_is_short", False) and \
            extent > 2 * self._edge
        count = 2 * self._edge if short else extent
        if len(shape) == 1:
            parts = [self._rest.pop(0) for _ in range(count)]
            if short:
                parts.insert(self._edge, "...")
            return self._open + self._lines(parts, indent) + self._close
        inner = indent + " "
        parts = [self._nested(shape[1:], inner) for _ in range(count)]
        if short:
            parts.insert(self._edge, "...")
        gap = self._separator.rstrip() + "\n" + inner
        return f"{self._open}\n{inner}{gap.join(parts)}\n{indent}" \
               f"{self._close}"

    def _lines(self, parts, indent):
        """Elements, with a new line where one would be too long."""
        lines, line = [], ""
        for part in parts:
            longer = line + self._separator + part if line else part
            if line and len(indent) + 1 + len(longer) > self._width:
                lines.append(line + self._separator.rstrip())
                line = part
            else:
                line = longer
        return ("\n" + indent + " ").join(lines + [line])

    def _numbers(self, flat):
        if not flat.dtype.is_floating_point:
            return [str(int(each)) for each in flat.tolist()]
        values = flat.float().tolist()
        sizes = [abs(each) for each in values
                 if each and abs(each) != float("inf") and each == each]
        kind = self._float_format
        if kind == "auto":
            wide = sizes and (max(sizes) >= 10 ** self._digits or
                              min(sizes) < 10 ** -self._digits)
            kind = "scientific" if wide else "fixed"
        if kind == "none":
            return [repr(each) for each in values]
        letter = "e" if kind == "scientific" else "f"
        return [f"{each:.{self._digits}{letter}}" for each in values]
