"""What a number section shows: digits in their places, grouping, scaling, percent, powers, fractions.

Belongs here: numbers. Stays out: dates, the choice of a section (formats).
Values are ``Decimal`` and not negative; the sign is put before by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from notes_pipeline.rows.shown.sections import Token

GENERAL_DIGITS = 11
"""Significant digits of a fraction in General: what a wide cell shows; drops the noise of binary floats."""
GENERAL_WHOLE = 15
"""Whole numbers up to this many digits are shown whole: a spreadsheet keeps no more of them."""
_WIDE = Context(prec=1_000, rounding=ROUND_HALF_UP)
_SIGNS = {"comma": ",", "point": ".", "percent": "l"}
_PLAIN = re.compile(r"(l*)((?:#,?)*0*(?:,0*)?)(?:\.0+)?,*(l*)")
"""Literals, a whole part without literals in it, decimal zeros, scaling commas, literals."""
_MOST_PLACES = 127
_MOST_SCALE = 8
_MOST_DENOMINATOR_DIGITS = 5


def general(value: Decimal) -> str:
    """``value`` (not negative) in the format General."""
    if not value:
        return "0"
    exponent = value.adjusted()
    if exponent >= GENERAL_WHOLE:
        return _short_power(value)
    digits = Context(prec=max(GENERAL_DIGITS, exponent + 1), rounding=ROUND_HALF_UP)
    text = f"{digits.plus(value):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return _short_power(value) if exponent < -4 and len(text) > GENERAL_DIGITS else text


def _short_power(value: Decimal) -> str:
    mantissa, exponent = f"{Context(prec=6, rounding=ROUND_HALF_UP).plus(value):.5E}".split("E")
    return f"{mantissa.rstrip('0').rstrip('.')}E{exponent[0]}{exponent[1:]:0>2}"


@dataclass(frozen=True, slots=True)
class Layout:
    """A number section measured once: what each value then only has to be put into."""

    tokens: tuple[Token, ...]
    before: Sequence[Token]
    """Up to the decimal point."""
    after: Sequence[Token]
    point: bool
    exponent: Decimal
    """``0.01`` for two decimal places."""
    percents: int
    thousands: int
    """Scaling commas."""
    grouped: bool
    kind: str
    """``fixed``, ``power``, ``fraction``, or ``plain``: prefix, digits, suffix, nothing in between."""
    prefix: str = ""
    suffix: str = ""
    least: int = 0
    """Digits of the whole part that are always shown (plain)."""


def layout(tokens: Sequence[Token]) -> Layout:
    """The measures of a number section."""
    kinds = [token.kind for token in tokens]
    before, after, point = _split(tokens)
    fixed = Layout(
        tuple(tokens),
        before,
        after,
        point,
        Decimal(1).scaleb(-min(_digits(after), _MOST_PLACES)),
        min(kinds.count("percent"), _MOST_SCALE),
        min(_scaling_commas(tokens), _MOST_SCALE),
        _groups(before),
        "fixed",
    )
    if "exponent" in kinds:
        return replace(fixed, kind="power")
    if "slash" in kinds:
        return replace(fixed, kind="fraction")
    return _plain(fixed) or fixed


def _plain(fixed: Layout) -> Layout | None:
    """The layout of by far the most formats, whose digits Python itself can write."""
    written = "".join(
        _SIGNS.get(token.kind, "l") if token.kind != "digit" else token.text for token in fixed.tokens
    )
    match = _PLAIN.fullmatch(written)
    if match is None or (fixed.grouped and match[2].count("0") > 1):
        return None
    texts = [token.text for token in fixed.tokens]
    prefix, suffix = texts[: match.end(1)], texts[match.start(3) :]
    return replace(
        fixed, kind="plain", prefix="".join(prefix), suffix="".join(suffix), least=match[2].count("0")
    )


def number(section: Layout, value: Decimal) -> str:
    """``value`` (not negative) as a number section shows it."""
    if section.percents:
        value = _WIDE.multiply(value, Decimal(100) ** section.percents)
    if section.kind == "power":
        return _power(section.tokens, section.tokens.index(next(_powers(section.tokens))), value)
    if section.kind == "fraction":
        slash = [token.kind for token in section.tokens].index("slash")
        shown = _fraction(section.tokens, slash, value)
        if shown is not None:
            return shown
    if section.thousands:
        value = _WIDE.divide(value, Decimal(1000) ** section.thousands)
    if section.kind != "plain":
        return _fixed(section.before, section.after, section.point, value)
    rounded = _WIDE.quantize(value, section.exponent)
    digits = f"{rounded:,f}" if section.grouped else f"{rounded:f}"
    if section.least == 0 and digits[0] == "0":
        digits = digits[1:]
    elif section.least > 1:
        digits = digits.zfill(section.least + (len(digits) - digits.find(".") if section.point else 0))
    return section.prefix + digits + section.suffix


def _powers(tokens: Sequence[Token]) -> Iterator[Token]:
    return (token for token in tokens if token.kind == "exponent")


def _scaling_commas(tokens: Sequence[Token]) -> int:
    """Commas behind the last digit place of the whole part, or of the whole format: a thousand each."""
    count, run = 0, 0
    for token in tokens:
        if token.kind == "comma":
            run += 1
        elif token.kind == "digit":
            run = 0  # a comma between digit places groups
        elif token.kind == "point":
            count, run = count + run, 0
    return count + run


def _split(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token], bool]:
    for place, token in enumerate(tokens):
        if token.kind == "point":
            return tokens[:place], tokens[place + 1 :], True
    return tokens, (), False


def _digits(tokens: Sequence[Token]) -> int:
    return sum(token.kind == "digit" for token in tokens)


def _fixed(before: Sequence[Token], after: Sequence[Token], point: bool, value: Decimal) -> str:
    places = min(_digits(after), _MOST_PLACES)
    rounded = f"{_WIDE.quantize(value, Decimal(1).scaleb(-places)):f}"
    whole, _, decimals = rounded.partition(".")
    shown = _fill_whole(before, whole.lstrip("0"), _groups(before))
    return shown + ("." if point else "") + _fill_decimals(after, decimals.rstrip("0"))


def _groups(tokens: Sequence[Token]) -> bool:
    """Whether a comma stands between two digit places."""
    kinds = "".join({"digit": "d", "comma": ","}.get(token.kind, "") for token in tokens)
    return "," in kinds.strip(",")


def _fill_whole(tokens: Sequence[Token], digits: str, grouped: bool) -> str:
    """Digits put from the right; the leftmost place takes all that is left over."""
    shown: list[str] = []
    left = _digits(tokens)
    count = 0
    for token in reversed(tokens):
        if token.kind == "comma":
            continue
        if token.kind != "digit":
            shown.append(token.text)
            continue
        left -= 1
        take = len(digits) if left == 0 else 1
        piece, digits = (digits[-take:], digits[:-take]) if take and digits else ("", digits)
        for digit in reversed(piece or ("0" if token.text == "0" else "")):
            if grouped and count and count % 3 == 0:
                shown.append(",")
            shown.append(digit)
            count += 1
    return "".join(reversed(shown))


def _fill_decimals(tokens: Sequence[Token], digits: str) -> str:
    shown: list[str] = []
    place = 0
    for token in tokens:
        if token.kind == "digit":
            missing = "0" if token.text == "0" else ""
            shown.append(digits[place] if place < len(digits) else missing)
            place += 1
        elif token.kind != "comma":
            shown.append(token.text)
    return "".join(shown)


def _power(tokens: Sequence[Token], place: int, value: Decimal) -> str:
    mantissa, behind = tokens[:place], tokens[place + 1 :]
    before, after, point = _split(mantissa)
    step = max(1, _digits(before))
    places = min(_digits(after), _MOST_PLACES)
    exponent = value.adjusted() // step * step if value else 0
    shown = _WIDE.quantize(value.scaleb(-exponent, _WIDE), Decimal(1).scaleb(-places))
    if shown.adjusted() >= step:  # 9.99 rounded up to 10.0
        exponent += step
        shown = _WIDE.quantize(value.scaleb(-exponent, _WIDE), Decimal(1).scaleb(-places))
    sign = "-" if exponent < 0 else tokens[place].text[1].replace("-", "")
    return (
        _fixed(before, after, point, shown)
        + "E"
        + sign
        + _fill_whole(behind, str(abs(exponent)).lstrip("0"), False)
    )


def _fraction(tokens: Sequence[Token], slash: int, value: Decimal) -> str | None:
    """``# ?/?`` and ``# ??/16``; None where nothing around the slash is a fraction."""
    start = slash
    while start and tokens[start - 1].kind == "digit":
        start -= 1
    end = slash + 1
    while end < len(tokens) and (tokens[end].kind == "digit" or tokens[end].text.isdecimal()):
        end += 1
    if start == slash or end == slash + 1:
        return None
    whole_places = [token for token in tokens[:start] if token.kind == "digit"]
    below = "".join(token.text for token in tokens[slash + 1 : end])
    whole, numerator, denominator = _parts(value, below, bool(whole_places))
    return _write_fraction(tokens[:start], whole, numerator, denominator) + _literals(tokens[end:])


def _parts(value: Decimal, below: str, mixed: bool) -> tuple[int, int, int]:
    whole = int(value.to_integral_value(ROUND_DOWN)) if mixed else 0
    rest = Fraction(value) - whole
    if any(character in "123456789" for character in below):
        denominator = int(below.replace("#", "0").replace("?", "0")[:_MOST_DENOMINATOR_DIGITS])
        numerator = int(rest * denominator + Fraction(1, 2))
    else:
        near = rest.limit_denominator(10 ** min(len(below), _MOST_DENOMINATOR_DIGITS) - 1)
        numerator, denominator = near.numerator, near.denominator
    if mixed and numerator == denominator:
        return whole + 1, 0, denominator
    return whole, numerator, denominator


def _write_fraction(before: Sequence[Token], whole: int, numerator: int, denominator: int) -> str:
    if not _digits(before):
        return f"{_literals(before)}{numerator}/{denominator}"
    always = any(token.text == "0" for token in before if token.kind == "digit")
    if not whole and numerator and not always:
        return f"{_literals(before).rstrip()}{numerator}/{denominator}"
    shown = _fill_whole(before, str(whole), _groups(before))
    return f"{shown}{numerator}/{denominator}" if numerator else shown.rstrip()


def _literals(tokens: Sequence[Token]) -> str:
    return "".join(token.text for token in tokens if token.kind in ("literal", "percent"))
