"""The places of a C source where a fault can be made, by kind of fault.

sites_of(text, operator) lists (start, end, new text, what) of each place;
text[start:end] becomes the new text.  No fault changes the number of lines.
"""
import re

# Strings, characters, comments and preprocessor lines hold no code.
NOT_CODE = re.compile(
    r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)


def masked(text):
    """The text with spaces where there is no code; same length and lines."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(code):
    """(start, end) of each function's body, by its braces in column one."""
    return [m.span() for m in re.finditer(r"^\{\n.*?^\}", code, re.S | re.M)]


def closing(code, at):
    """The parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i
    return -1


def negated_conditions(code, text):
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        inside = text[m.end():end]
        if end != -1:
            yield m.end(), end, f"!({inside})", f"negate {inside!r}"


def swaps(pattern, table):
    def swapped(code, _text):
        for m in re.finditer(pattern, code):
            new = table[m.group(1)]
            yield m.start(1), m.end(1), new, f"{m.group(1)} becomes {new}"
    return swapped


# A call whose result is unused, or an assignment; it may have several lines.
STATEMENT = re.compile(
    r"(?<=[;{})])\s*\n\t+((?:\(void\))?[a-z_]\w*\([^;{}]*\);"
    r"|[*a-z_(][^;{}=()]*(?:\[[^;{}=]*\])?[^;{}=()]* (?:[-+|&*/]|<<|>>)?= "
    r"[^;{}]*;)")


def dropped_statements(code, text):
    for m in STATEMENT.finditer(code):
        old = text[m.start(1):m.end(1)]
        # What is not given back is LeakSanitizer's matter.
        if re.match(r"(return|else|goto|assert|free)\b|va_", old):
            continue
        # A declaration with a value begins with a type.
        if re.match(r"(const|static|struct|enum|unsigned|int|long|char|bool|"
                    r"size_t|ssize_t|float|double|FILE|\w+_t)\b[^=(]* ?=",
                    old):
            continue
        yield (m.start(1), m.end(1), ";" + "\n" * old.count("\n"),
               f"drop {' '.join(old.split())!r}")


def other_results(code, _text):
    table = {"0": "-1", "-1": "0", "true": "false", "false": "true",
             "1": "0"}
    for m in re.finditer(r"\breturn (0|-1|1|true|false);", code):
        new = table[m.group(1)]
        yield m.start(1), m.end(1), new, f"return {new} for {m.group(1)}"


def dropped_cases(code, text):
    for m in re.finditer(r"^\t+(case [^:\n]+:)", code, re.M):
        yield m.start(1), m.end(1), "", f"drop {text[m.start(1):m.end(1)]!r}"


def other_constants(code, _text):
    for m in re.finditer(r"(?<![\w.])(\d+)(?![\w.])", code):
        new = str(int(m.group(1)) + 1)
        yield m.start(1), m.end(1), new, f"{m.group(1)} becomes {new}"


OPERATORS = {
    "condition": negated_conditions,
    "comparison": swaps(r"(?<= )(<=|>=|==|!=|<|>)(?=[ \n])", {
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}),
    "arithmetic": swaps(r"(?<= )(\+=|-=|\+|-|\*|/)(?=[ \n])", {
        "+": "-", "-": "+", "+=": "-=", "-=": "+=", "*": "/", "/": "*"}),
    "logic": swaps(r"(&&|\|\|)", {"&&": "||", "||": "&&"}),
    "statement": dropped_statements,
    "result": other_results,
    "case": dropped_cases,
    "constant": other_constants,
}


def sites_of(text, operator):
    code = masked(text)
    spans = functions(code)
    result = []
    for start, end, new, what in OPERATORS[operator](code, text):
        line = code[code.rfind("\n", 0, start) + 1:
                    code.find("\n", end)]
        # assert() is a test already, and it holds its text.
        if "assert(" in line:
            continue
        if any(a < start and end < b for a, b in spans):
            result.append((start, end, new, what))
    return result
