"""From a folder of files to documents: what is walked, how bytes become text, what is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import note_bytes

from notes_pipeline.records import DOCUMENT_STATES, Document
from notes_pipeline.settings import Settings
from notes_pipeline.sources import document_from_bytes, notebook_of, read, scan
from notes_pipeline.sources.decode import Binary, decode
from notes_pipeline.sources.front_matter import split
from notes_pipeline.sources.yaml_values import Unreadable, load_any, load_simple, load_yaml

DEFAULT = Settings()

FIELD_LINES = (
    *(
        "a: b",
        "a:",
        "tags:",
        "b: c d",
        "c: 'x y'",
        'd: "q: r"',
        "e: 3",
        "f: 2.50",
        "g: true",
        "h: ~",
        "i: no",
    ),
    *(
        "  - x",
        "- y",
        "    - z w",
        "  - 'a'",
        "  - ",
        "  -",
        "- 2024-01-05",
        "- null",
        "",
        " ",
        "# c",
        "a: b # c",
    ),
    *(
        "a: b: c",
        "a: b:",
        "a : b",
        "x: http://a.b/c#d",
        "t: 10:30",
        "k: [a]",
        "m: {a: b}",
        "n: &x y",
        "o: *x",
    ),
    *(
        "  more",
        "p: |",
        "q: a\tb",
        "true: x",
        "null: y",
        "r: -",
        "s: - a",
        "u: 'it''s'",
        'v: "\\n"',
        "w: @a",
        "é: f",
    ),
    *(
        "y: été",
        "z: 0123",
        "aa: 1_000",
        "ab: a  b",
        "ac: 東京 #1",
        "ad: a#b",
        "ae: ?",
        "af: ! a",
        "ag: %b",
        "---",
    ),
)
"""Lines that may or may not make a mapping together."""


def _write(root: Path, *names: str, text: str = "# Note\n\nText.\n") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _paths(root: Path, **options: object) -> list[str]:
    return [found.source_path for found in scan(root, **options)]  # type: ignore[arg-type]


class TestScan:
    """The walk of a notes folder."""

    def test_files_come_sorted_by_path_with_their_notebook(self, tmp_path: Path) -> None:
        """A notebook is the top-level folder; files at the root make the notebook ``.``."""
        _write(tmp_path, "b/deep/x.md", "a.md", "b/y.md", "img/z.png")

        found = scan(tmp_path)

        assert [f.source_path for f in found] == ["a.md", "b/deep/x.md", "b/y.md", "img/z.png"]
        assert [f.notebook for f in found] == [".", "b", "b", "img"]
        assert all(f.size > 0 and f.mtime_ns > 0 and not f.link and not f.error for f in found)
        assert notebook_of("b/deep/x.md") == "b"

    def test_machinery_of_apps_is_not_notes(self, tmp_path: Path) -> None:
        """Hidden folders and files, lock files, Logseq's backups and a workspace are left out."""
        _write(tmp_path, "a.md", ".git/x.md", ".obsidian/x.md", ".trash/x.md", "~$book.xlsx", ".~lock.b.ods#")
        _write(tmp_path, ".DS_Store", "logseq/bak/p/x.md", "logseq/custom.css", "kb/notes.toml", "kb/qa/x.md")
        _write(tmp_path, "bak/kept.md")

        assert _paths(tmp_path) == ["a.md", "bak/kept.md", "kb", "logseq/custom.css"]

    def test_a_workspace_among_the_notes_is_said_once(self, tmp_path: Path) -> None:
        """Nothing in it is read, and the folder says why; one that is ignored or excluded says nothing."""
        _write(tmp_path, "a.md", "sub/kb/notes.toml", "sub/kb/x.md", "sub/kb/y/z.md", "own/notes.toml")

        found = scan(tmp_path, exclude=(tmp_path / "own",))
        document = read(found[1], DEFAULT)

        assert [f.source_path for f in found] == ["a.md", "sub/kb"]
        assert (document.state, document.error) == ("workspace", "is a workspace of its own (notes.toml)")
        assert _paths(tmp_path, ignore=("kb/", "own/")) == ["a.md"]

    def test_ignore_and_exclude_leave_out_what_they_name(self, tmp_path: Path) -> None:
        """Patterns read as in ``.gitignore``; excluded folders are left out whole."""
        _write(tmp_path, "a.md", "drafts/b.md", "c.tmp.md", "keep/drafts.md", "out/d.md", "x/e.log")

        assert _paths(tmp_path, ignore=("drafts/", "*.tmp.md", "/x"), exclude=(tmp_path / "out",)) == [
            "a.md",
            "keep/drafts.md",
        ]

    def test_names_stay_as_they_are_on_disk(self, tmp_path: Path) -> None:
        """Hashes, percent signs, emoji, composed and decomposed accents are names like any other."""
        names = ["#1 100%.md", "cafe\u0301.md", "caf\u00e9.md", "🚢 ship.md", "a\\b.md", "x y.md"]
        _write(tmp_path, *names)

        assert set(_paths(tmp_path)) == set(names)

    def test_links_are_not_followed(self, tmp_path: Path) -> None:
        """A note reached twice is one note; links to folders, to nothing and out of the notes end there."""
        outside = tmp_path / "outside"
        root = tmp_path / "notes"
        _write(root, "a.md", "sub/b.md")
        _write(outside, "c.md")
        (root / "alias.md").symlink_to(root / "a.md")
        (root / "dangling.md").symlink_to(root / "nowhere.md")
        (root / "sub" / "loop").symlink_to(root)
        (root / "self.md").symlink_to(root / "self.md")
        (root / "secret.md").symlink_to(outside / "c.md")

        found = {f.source_path: f.link for f in scan(root)}

        assert found == {
            "a.md": "",
            "alias.md": "link to a.md",
            "dangling.md": "link to nothing",
            "secret.md": "link out of the notes",
            "self.md": "link to nothing",
            "sub/b.md": "",
            "sub/loop": "link to .",
        }

    def test_a_folder_that_cannot_be_read_is_told_and_the_walk_goes_on(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The rest of the notes is found; the folder is a file seen with an error."""
        _write(tmp_path, "a.md", "locked/b.md", "z/c.md")
        real = os.scandir

        def scandir(path: Path) -> object:
            if Path(path).name == "locked":
                raise PermissionError(13, "Permission denied")
            return real(path)

        monkeypatch.setattr(os, "scandir", scandir)
        found = scan(tmp_path)

        assert [f.source_path for f in found] == ["a.md", "locked", "z/c.md"]
        assert found[1].error == "folder cannot be read: Permission denied"
        assert read(found[1], DEFAULT).state == "unreadable"

    def test_what_is_no_file_is_not_opened(self, tmp_path: Path) -> None:
        """A pipe named like a note would wait for ever."""
        os.mkfifo(tmp_path / "pipe.md")

        (found,) = scan(tmp_path)

        assert (found.error, read(found, DEFAULT).state) == ("not a regular file", "unreadable")


def _read(path: Path, chosen: Settings = DEFAULT) -> Document:
    (found,) = [f for f in scan(path.parent) if f.path == path]
    return read(found, chosen)


class TestRead:
    """One file to a document, whatever is in it."""

    @pytest.mark.parametrize(
        ("name", "data", "state"),
        [
            ("a.md", b"text", "read"),
            ("a.md", b"", "empty"),
            ("a.md", b" \n\t\r\n", "empty"),
            ("a.md", bytes(range(256)) * 4, "binary"),
            ("a.md", b"\x89PNG\r\n\x1a\n" + bytes(60), "binary"),
            ("a.md", b"\x89PNG\r\n\x1a\n", "binary"),
            ("a.md", b"\x00\x01\x02\xff", "binary"),
            ("a.md", b"\x00", "binary"),
            ("a.csv", b"\x1f\x8b\x08", "binary"),
            ("a.md", b"ab\n", "read"),
            ("a.md", b"x", "read"),
            ("a.md", b"\xe9t\xe9", "read"),
            ("a.md", b"x" * 2_000, "too_large"),
            ("a.png", b"x", "unsupported"),
            ("a", b"x", "unsupported"),
            ("a.MD", b"x", "read"),
            ("a.csv", b"a;b\n1;2\n", "read"),
            ("a.xlsx", b"PK\x03\x04", "read"),
            ("a.xlsx", b"", "empty"),
        ],
    )
    def test_state(self, tmp_path: Path, name: str, data: bytes, state: str) -> None:
        """Each state says why a file has no chunks."""
        (tmp_path / name).write_bytes(data)

        document = _read(tmp_path / name, Settings(max_file_bytes=1_500))

        assert document.state == state
        assert (document.text is not None) == (state in ("read", "empty") and not name.endswith("xlsx"))

    def test_an_unreadable_file_is_a_state(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The system's reason is told."""
        (tmp_path / "a.md").write_bytes(b"x")

        def refuse(*_: object, **__: object) -> object:
            raise PermissionError(13, "Permission denied")

        (found,) = scan(tmp_path)
        monkeypatch.setattr(os, "open", refuse)

        assert (read(found, DEFAULT).state, read(found, DEFAULT).error) == ("unreadable", "Permission denied")

    def test_a_file_gone_since_the_walk_is_a_state(self, tmp_path: Path) -> None:
        """Deleted between walk and reading."""
        (tmp_path / "a.md").write_bytes(b"x")
        (found,) = scan(tmp_path)
        found.path.unlink()

        assert read(found, DEFAULT).state == "unreadable"

    @pytest.mark.parametrize(
        ("swap", "error"),
        [
            (os.mkfifo, "no regular file any more: a pipe or device took its place"),
            (os.mkdir, "Is a directory"),
            (
                lambda path: path.symlink_to(path.parent / "secret"),
                "a link took its place, and links are not followed",
            ),
        ],
        ids=["pipe", "folder", "link"],
    )
    def test_what_took_the_place_of_a_file_is_not_read(
        self, tmp_path: Path, swap: Callable[[Path], object], error: str
    ) -> None:
        """Swapped between walk and reading: nobody waits for a pipe, no link leads out of the notes."""
        (tmp_path / "secret").write_bytes(b"not a note")
        (tmp_path / "a.md").write_bytes(b"x")
        found = scan(tmp_path)[0]
        found.path.unlink()
        swap(found.path)

        document = read(found, DEFAULT)

        assert (document.state, document.error, document.text) == ("unreadable", error, None)

    @pytest.mark.parametrize(("writes", "state"), [(1, "read"), (9, "changed_while_read")])
    def test_a_file_that_changes_is_read_once_more(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, state: str
    ) -> None:
        """One more try; then the state says so."""
        path = tmp_path / "a.md"
        path.write_bytes(b"start")
        (found,) = scan(tmp_path)
        real = Path.stat
        left = [writes]

        def stat(self: Path, **options: bool) -> os.stat_result:
            if self == path and left[0]:
                left[0] -= 1
                with open(path, "ab") as file:
                    file.write(b"!")
            return real(self, **options)

        monkeypatch.setattr(Path, "stat", stat)
        document = read(found, DEFAULT)

        assert document.state == state
        assert document.text == ("start!" if state == "read" else None)

    def test_a_link_is_a_state(self, tmp_path: Path) -> None:
        """What is not followed is seen all the same."""
        (tmp_path / "a.md").write_bytes(b"x")
        (tmp_path / "b.md").symlink_to(tmp_path / "a.md")

        document = _read(tmp_path / "b.md")

        assert (document.state, document.error) == ("linked", "link to a.md")

    @given(note_bytes(), st.sampled_from(("a.md", "b/c.csv", "d.xlsx", "e.png")))
    @settings(max_examples=150, deadline=None)
    def test_no_bytes_raise(self, data: bytes, name: str) -> None:
        """Any bytes under any name give a document with a known state, text without surrogates."""
        document = document_from_bytes(name, data, DEFAULT)

        assert document.state in DOCUMENT_STATES
        assert document.char_count == len(document.text or "")
        (document.text or "").encode("utf-8")


class TestDecode:
    """Bytes to text."""

    @pytest.mark.parametrize(
        ("data", "text", "encoding", "replaced"),
        [
            (b"plain", "plain", "utf-8", 0),
            ("\ufeffGruß 漢 🚢".encode(), "Gruß 漢 🚢", "utf-8", 0),
            ("\ufeff\ufefftwice".encode(), "\ufefftwice", "utf-8", 0),
            ("Über".encode("utf-16"), "Über", "utf-16-le", 0),
            (b"\xfe\xff" + "Über".encode("utf-16-be"), "Über", "utf-16-be", 0),
            ("Über\n".encode("utf-32"), "Über\n", "utf-32-le", 0),
            ("# Plain\n\nText.\n".encode("utf-16-be"), "# Plain\n\nText.\n", "utf-16-be", 0),
            ("# Plain\n\nText.\n".encode("utf-16-le"), "# Plain\n\nText.\n", "utf-16-le", 0),
            ("Привет, мир и покой.\n".encode("utf-16-le"), "Привет, мир и покой.\n", "utf-16-le", 0),
            ("naïve – “quoted” €5".encode("cp1252"), "naïve – “quoted” €5", "cp1252", 0),
            (b"caf\xe9 \x81\x8d", "café \ufffd\ufffd", "cp1252", 2),
            (b"S\xe3o Jo\xe3o, caf\xe9, \xc0 bord", "São João, café, À bord", "cp1252", 0),
            ("déjà vu ".encode() + b"\xff here", "déjà vu \ufffd here", "utf-8", 1),
            (b"good text \xe2\x80 cut", "good text \ufffd cut", "utf-8", 1),
            ("kept \ufffd and ".encode() + "é".encode() + b"\xff", "kept \ufffd and é\ufffd", "utf-8", 1),
            (b"lone \xed\xa0\x80 half \xc3\xa9", "lone \ufffd half é", "utf-8", 1),
            (b"\xff\xfeA\0\0\xd8B\0", "A\ufffdB", "utf-16-le", 1),
            (b"# A\0B\n\ntext\0more", "# A\0B\n\ntext\0more", "utf-8", 0),
            (b"a\r\nb\rc\nd\x0c\x0b\x1b[1m", "a\r\nb\rc\nd\x0c\x0b\x1b[1m", "utf-8", 0),
            ("a\u2028b\u0085c".encode(), "a\u2028b\u0085c", "utf-8", 0),
        ],
    )
    def test_what_the_writer_meant(self, data: bytes, text: str, encoding: str, replaced: int) -> None:
        """Line ends and NULs stay; each broken byte or lone surrogate is one U+FFFD and counted."""
        assert decode(data) == (text, encoding, replaced)

    @pytest.mark.parametrize(
        "data", [bytes(range(32)) * 3, b"\x7fELF\x02\x01\x01" + bytes(50), b"a\0" + bytes(9)]
    )
    def test_binary_is_refused(self, data: bytes) -> None:
        """Control bytes where text was expected."""
        with pytest.raises(Binary):
            decode(data)

    @given(st.text(), st.sampled_from(("utf-8", "utf-8-sig")))
    def test_utf8_survives(self, text: str, encoding: str) -> None:
        """What was written in UTF-8 is read as it was, where it is text at all."""
        text = "ok " + text.translate(dict.fromkeys(range(32))).replace("\x7f", "")

        assert decode(text.encode(encoding)) == (text, "utf-8", 0)


class TestFrontMatter:
    """YAML and TOML before the body."""

    @pytest.mark.parametrize(
        ("source", "value"),
        [
            ("a: 1\nb: 2.5\nc: true\nd: null\n", {"a": 1, "b": 2.5, "c": True, "d": None}),
            (
                "a: 2024-01-05\nb: 10:30\nc: 0123\nd: 1e3\n",
                {"a": "2024-01-05", "b": "10:30", "c": "0123", "d": "1e3"},
            ),
            ("a: yes\nb: No\nc: 'true'\nd: \"1\"\n", {"a": "yes", "b": "No", "c": "true", "d": "1"}),
            ("1: a\ntrue: b\n~: c\n", {"1": "a", "True": "b", "": "c"}),
            ("base: &b {x: 1}\nmore: {<<: *b, y: 2}\n", {"base": {"x": 1}, "more": {"x": 1, "y": 2}}),
            ("a: |\n  one\n  two\nb: >\n  x\n  y\n", {"a": "one\ntwo\n", "b": "x y\n"}),
            ("- a\n- [b, {c: d}]\n", ["a", ["b", {"c": "d"}]]),
            ("", None),
            ("# only a comment\n", None),
        ],
    )
    def test_yaml_becomes_json_values(self, source: str, value: object) -> None:
        """Strings, numbers, booleans, lists and mappings, and nothing guessed beyond that."""
        assert load_yaml(source) == value

    @given(st.lists(st.sampled_from(FIELD_LINES), max_size=6).map("\n".join))
    @settings(max_examples=400, deadline=None)
    def test_the_short_way_reads_as_the_long_one(self, source: str) -> None:
        """Where simple fields are read without the parser, they read the same."""
        simple = load_simple(source)

        assert simple is None or simple == load_any(source)

    @pytest.mark.parametrize(
        "source",
        ["a: {{x}}", "a: [b", "a: b\n\tc: d", "a: *nothing", "[" * 500, "a: 'b", "a: @b", "%x\n--- a"],
    )
    def test_what_is_no_yaml_is_refused_with_its_line(self, source: str) -> None:
        """The refusal names the line as the note numbers it."""
        with pytest.raises(Unreadable, match=r"line [2-5]: "):
            load_yaml(source, line=2)

    def test_a_rule_and_prose_are_no_front_matter(self) -> None:
        """What stands between two rules must read as fields, well or badly written."""
        assert split("---\nNote: a word\n\nand a paragraph of prose\n---\n").end == 0
        assert split("---\nonly prose\n---\n").end == 0
        assert split("---\nunclosed: yes\n").end == 0

    def test_the_body_starts_behind_the_blank_lines(self) -> None:
        """Blank lines between front matter and body are no section's."""
        assert split("---\na: b\n---\n\n \nBody").end == len("---\na: b\n---\n\n \n")
