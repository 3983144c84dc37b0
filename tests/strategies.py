"""Hypothesis strategies for notes: Markdown as people write it, and as nobody should.

``markdown_texts()`` makes whole notes (every block kind, several line ends, CJK, emoji, NULs);
``hostile_texts()`` strings over the characters Markdown gives a meaning; ``note_bytes()`` files.
"""

from __future__ import annotations

from hypothesis import strategies as st

_SAMPLE = (
    "harbour lantern ferry tide anchor Öresund naïve café rope-work 3.5 km don't 12% Nº e.g. "
    "東京 の港 한국 ไทย привет مرحبا 🚢 👩\u200d👩\u200d👧 🇸🇪 e\u0301tude "
    "x_y C# a*b #tag/sub <b> & &amp; \\# [[Pier|pier]]"
)
WORDS = tuple(_SAMPLE.split())
INLINE = ("**{}**", "*{}*", "`{}`", "[{}](pier.md)", "=={}==", "[{}]{{.underline}}", "~~{}~~", "![{}](a.png)")
LINE_ENDS = ("\n", "\r\n", "\r")


def words(least: int = 1, most: int = 8) -> st.SearchStrategy[str]:
    """A run of words on one line, some of them marked up."""
    word = st.one_of(
        st.sampled_from(WORDS), st.builds(str.format, st.sampled_from(INLINE), st.sampled_from(WORDS))
    )
    return st.lists(word, min_size=least, max_size=most).map(" ".join)


def paragraphs() -> st.SearchStrategy[str]:
    """One to four lines of text."""
    return st.lists(words(), min_size=1, max_size=4).map("\n".join)


def headings() -> st.SearchStrategy[str]:
    """Hash and underlined headings, pandoc's and bold titles."""
    return st.one_of(
        st.builds(lambda level, title: f"{'#' * level} {title}", st.integers(1, 6), words(1, 5)),
        st.builds(lambda title, mark: f"{title}\n{mark * 5}", words(1, 5), st.sampled_from("=-")),
        words(1, 4).map("**[{}]{{.underline}}**".format),
        words(1, 4).map("**{}**".format),
        st.sampled_from(("#", "###", "#not a heading", "## Closed ##", "# Anchored {#here .plain}")),
    )


def fences() -> st.SearchStrategy[str]:
    """Code between fences, with lines in it that would be headings; sometimes never closed."""
    body = st.sampled_from(
        ("# no heading", "x = 1\n\n## nor this", "", "```\n~~~", "- [ ] item", "a | b\n--|--")
    )
    return st.builds(
        lambda mark, language, code, closed: f"{mark}{language}\n{code}" + (f"\n{mark}" if closed else ""),
        st.sampled_from(("```", "~~~", "`````")),
        st.sampled_from(("", "sh", "{=html}", "mermaid")),
        body,
        st.sampled_from((True, True, True, False)),
    )


def lists() -> st.SearchStrategy[str]:
    """Bulleted, numbered and task lists, nested and loose."""
    item = st.tuples(
        st.integers(0, 3), st.sampled_from(("- ", "* ", "1. ", "- [ ] ", "- # ", "7) ")), words(0, 6)
    )
    line = item.map(lambda parts: "  " * parts[0] + parts[1] + parts[2])
    return st.builds(
        lambda lines, gap: gap.join(lines),
        st.lists(line, min_size=1, max_size=6),
        st.sampled_from(("\n", "\n\n", "\n\t")),
    )


def tables() -> st.SearchStrategy[str]:
    """Pipe tables, ragged ones too, and pandoc's own."""
    row = st.lists(words(0, 3), min_size=1, max_size=4).map(lambda cells: f"| {' | '.join(cells)} |")
    pipe = st.lists(row, min_size=1, max_size=4).map(
        lambda rows: "\n".join((rows[0], "|" + "---|" * (rows[0].count(" | ") + 1), *rows[1:]))
    )
    drawn = st.sampled_from(
        (
            "+----+----+\n| a  | # b |\n+====+====+\n| 1  | 2  |\n+----+----+",
            "Port    Depth\n------  -----\nEast       12",
            "  ------------\n  Pier  Length\n  ----  ------\n  North\n\n  South     40\n  ------------",
        )
    )
    return st.one_of(pipe, drawn)


def asides() -> st.SearchStrategy[str]:
    """Quotes, callouts, HTML, comments, formulas, notes, definitions, rules, properties."""
    return st.one_of(
        paragraphs().map(lambda text: "> " + text.replace("\n", "\n> ")),
        words().map("> [!tip]- {}\n> body".format),
        words().map("<details>\n<summary>{}</summary>\n\n# inside\n\n</details>".format),
        words().map("<!-- {}\n\n# hidden -->".format),
        words().map("%% {}\n\n# hidden %%".format),
        words().map("$$\n{}\n\n# x\n$$".format),
        words().map("[^1]: {}".format),
        st.sampled_from(
            ("[ref]: https://example.org 'Pier'", "---", "***", "key:: value\nid:: 7", ":::", "    code")
        ),
        words().map("- # {}\n\tid:: 12\n\t- child".format),
    )


def blocks() -> st.SearchStrategy[str]:
    """Any block."""
    return st.one_of(paragraphs(), headings(), fences(), lists(), tables(), asides())


@st.composite
def markdown_texts(draw: st.DrawFn) -> str:
    """A note: front matter or none, blocks, one kind of line end or several, NULs now and then."""
    front = draw(
        st.sampled_from(
            ("", "", "---\ntitle: Pier\ntags: [a]\n---\n", "+++\ntitle = 'x'\n+++\n", "---\nx: {{y}}\n---\n")
        )
    )
    parts = draw(st.lists(blocks(), max_size=8))
    gaps = draw(
        st.lists(st.sampled_from(("\n\n", "\n\n", "\n", "\n \n\n")), min_size=len(parts), max_size=len(parts))
    )
    text = front + "".join(part + gap for part, gap in zip(parts, gaps, strict=True))
    if draw(st.booleans()):
        text = text.rstrip("\n")
    if draw(st.sampled_from((False, False, True))):
        text = draw(st.sampled_from(("\u2028", "\x0c", "\ufeff", "\x85", "\x01"))).join((text, "tail"))
    if draw(st.sampled_from((False, False, False, True))):
        text = text.replace("a", "\0", 2)
    return draw(_line_ends(text))


def tidy_texts() -> st.SearchStrategy[str]:
    """Notes as a formatter leaves them: blocks a blank line apart, two blanks a level, fences closed."""
    item = st.builds(lambda depth, line: "  " * depth + "- " + line, st.integers(0, 1), words())
    tidy_list = st.lists(item, min_size=1, max_size=5).map(lambda items: "\n".join(("- first", *items)))
    fence = st.sampled_from(("```py\n# no heading\n```", "~~~\nx\n\n# y\n~~~", "    indented\n\n    code"))
    quote = paragraphs().map(lambda text: "> " + text.replace("\n", "\n> "))
    html = st.sampled_from(("<div>\n# no\n</div>", "<!-- a\n\n# b -->", "$$\nx\n\n# y\n$$", "%%\n# z\n\n%%"))
    rule = st.sampled_from(("---", "* * *"))
    block = st.one_of(paragraphs(), headings(), tidy_list, tables(), fence, quote, html, rule)
    return st.lists(block, max_size=8).map("\n\n".join).flatmap(_line_ends)


def _line_ends(text: str) -> st.SearchStrategy[str]:
    lines = text.split("\n")
    one = st.sampled_from(LINE_ENDS).map(lambda end: end.join(lines))
    mixed = st.lists(st.sampled_from(LINE_ENDS), min_size=len(lines), max_size=len(lines)).map(
        lambda ends: _ended(lines, ends)
    )
    return st.one_of(one, one, mixed)


def _ended(lines: list[str], ends: list[str]) -> str:
    """Each line with its own end; a blank line stays one where its end and the one before would fuse."""
    text = ""
    for line, end in zip(lines, ends, strict=True):
        fuses = not line and text.endswith("\r") and end.startswith("\n")
        text += line + ("\r" if fuses else end)
    return text


def hostile_texts() -> st.SearchStrategy[str]:
    """Short strings over the marks of Markdown and its dialects."""
    marks = "#*_`~-=+|>[](){}<>!$%^:\\/ \t\n\r\0aé漢🚢.1\u2028\x0c&\"'?"
    pieces = st.sampled_from(
        (
            "$$",
            "%%",
            "```",
            "~~~",
            "<!--",
            "-->",
            "- ",
            "> ",
            "[[",
            "]]",
            "::",
            "{.underline}",
            "\n\n",
            "---",
            "+--+",
            "-- --",
            "    ",
            "\\[\n",
            "<?",
            "?>",
            "|-|",
        )
    )
    return st.lists(st.one_of(st.sampled_from(marks), pieces), max_size=40).map("".join)


def note_bytes() -> st.SearchStrategy[bytes]:
    """Files: a note in some encoding, its bytes damaged or not."""
    encoded = st.builds(
        lambda text, encoding: text.encode(encoding, "replace"),
        markdown_texts(),
        st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")),
    )
    damaged = st.builds(
        lambda data, bad, at: data[:at] + bad + data[at:], encoded, st.binary(max_size=4), st.integers(0, 200)
    )
    return st.one_of(encoded, damaged, st.binary(max_size=200))
