"""Which files become documents, under which names, and why the others do not."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from chunkfit.model import Failure
from chunkfit.parsing import SourceRef, discover


def write(path: Path, content: str | bytes = "some text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def parsed(name: str, text: str = "body") -> str:
    return json.dumps(
        {"document_name": name, "pages": {"1": text}, "full_text": text, "split_points": [], "titles": []}
    )


def names(found: tuple[list[SourceRef], list[Failure]]) -> list[str]:
    return [reference.name for reference in found[0]]


def reasons(found: tuple[list[SourceRef], list[Failure]]) -> dict[str, str]:
    return {Path(failure.path).name: failure.reason for failure in found[1]}


def test_a_file_becomes_a_reference_with_hash_size_and_media_type(tmp_path: Path) -> None:
    path = write(tmp_path / "Note.TXT", "hello")
    references, failures = discover(path)
    assert failures == []
    assert references == [SourceRef(path, "Note.TXT", hashlib.sha256(b"hello").hexdigest(), "text/plain", 5)]


def test_folders_are_searched_to_the_bottom_in_the_order_of_paths(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.md", "a/b/c.txt", "B.txt"):
        write(tmp_path / name)
    found = discover([tmp_path])
    paths = [reference.path.relative_to(tmp_path).as_posix() for reference in found[0]]
    assert paths == ["B.txt", "a/b/c.txt", "a/z.md", "b.txt"]
    assert discover([str(tmp_path)]) == found


def test_a_file_reached_in_several_ways_counts_once(tmp_path: Path) -> None:
    path = write(tmp_path / "z.txt")
    (tmp_path / "a-link.txt").symlink_to(path)
    assert names(discover([tmp_path, path, tmp_path / "*.txt", tmp_path / "a-link.txt"])) == ["z.txt"]


def test_a_link_to_the_outside_is_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "real.txt")
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "link.txt").symlink_to(outside)
    (folder / "more").symlink_to(outside.parent, target_is_directory=True)
    assert names(discover(folder)) == ["real.txt"]


def test_folders_that_link_to_each_other_end(tmp_path: Path) -> None:
    write(tmp_path / "a" / "one.txt")
    write(tmp_path / "b" / "two.txt")
    for source, target in (("a", "b"), ("b", "a"), ("a", ".")):
        (tmp_path / source / f"to-{target.strip('.')}").symlink_to(tmp_path / target, target_is_directory=True)
    assert names(discover(tmp_path)) == ["one.txt", "two.txt"]
    assert names(discover(f"{tmp_path}/**/*.txt")) == ["one.txt", "two.txt"]


def test_patterns_match_files_and_whole_folders(tmp_path: Path) -> None:
    for name in ("one.txt", "two.md", "deep/er/three.txt", "deep/four.md"):
        write(tmp_path / name)
    assert names(discover(f"{tmp_path}/*.txt")) == ["one.txt"]
    assert names(discover(f"{tmp_path}/**/*.txt")) == ["three.txt", "one.txt"]
    assert names(discover(f"{tmp_path}/d*")) == ["three.txt", "four.md"]
    assert names(discover(f"{tmp_path}/[t]*.md")) == ["two.md"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    path = write(tmp_path / "report [final]*.txt")
    assert names(discover(path)) == ["report [final]*.txt"]


def test_hidden_files_and_results_of_earlier_runs_are_skipped(tmp_path: Path) -> None:
    write(tmp_path / "kept.txt")
    write(tmp_path / ".hidden.txt")
    write(tmp_path / ".git" / "description.txt")
    for name in ("settings.json", "versions.json", "report.html"):
        write(tmp_path / "runs" / "2031-01-01" / name, "{}")
    write(tmp_path / "store" / "CACHEDIR.TAG")
    write(tmp_path / "store" / "copy.txt")
    assert discover(tmp_path)[1] == []
    assert names(discover(tmp_path)) == ["kept.txt"]


def test_a_hidden_file_that_is_asked_for_is_read(tmp_path: Path) -> None:
    assert names(discover(write(tmp_path / ".cache" / ".note.txt"))) == [".note.txt"]


def test_unknown_types_are_failures_that_list_the_known_ones(tmp_path: Path) -> None:
    write(tmp_path / "picture.png")
    write(tmp_path / "Makefile")
    write(tmp_path / "other.json", '{"a": 1}')
    found = discover(tmp_path)
    assert found[0] == []
    assert set(reasons(found)) == {"picture.png", "Makefile", "other.json"}
    assert all(".docx" in reason and ".md" in reason for reason in reasons(found).values())
    assert all(failure.stage == "discover" for failure in found[1])


def test_parsed_documents_are_told_from_other_json_by_their_fields(tmp_path: Path) -> None:
    write(tmp_path / "a.json", parsed("Annual report"))
    write(tmp_path / "b.json", "[1, 2]")
    write(tmp_path / "c.json", '{"document_name": "cut short", "pages": {')
    found = discover(tmp_path)
    assert names(found) == ["Annual report", "c.json"]  # what is wrong with the second its parser says
    assert set(reasons(found)) == {"b.json"}


def test_equal_base_names_become_paths_from_their_common_folder(tmp_path: Path) -> None:
    write(tmp_path / "corpus" / "2030" / "report.txt", "one")
    write(tmp_path / "corpus" / "2031" / "report.txt", "two")
    write(tmp_path / "corpus" / "note.txt", "three")
    assert names(discover(tmp_path)) == ["2030/report.txt", "2031/report.txt", "note.txt"]


def test_names_stay_unique_when_a_document_calls_itself_like_another_file(tmp_path: Path) -> None:
    write(tmp_path / "a" / "x.txt")
    write(tmp_path / "b" / "x.txt")
    write(tmp_path / "c.json", parsed("a/x.txt"))
    write(tmp_path / "d.json", parsed("a/x.txt", "other"))
    found = names(discover(tmp_path))
    assert len(set(found)) == 4


def test_what_is_not_there_or_no_file_is_a_failure_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "dangling.txt").symlink_to(tmp_path / "gone.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    write(tmp_path / "zero.pdf", b"")
    write(tmp_path / "page.pdf", "<html></html>")
    write(tmp_path / "old.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    write(tmp_path / "noise.xlsx", b"noise")
    write(tmp_path / "program.txt", b"\x7fELF\x00\x01")
    found = discover([tmp_path, tmp_path / "empty", tmp_path / "missing.txt", f"{tmp_path}/*.odt"])
    assert found[0] == []
    told = reasons(found)
    assert "without files" in told["empty"]
    assert "no such file" in told["missing.txt"]
    assert "nothing matches" in told["*.odt"]
    assert "link to a file that is not there" in told["dangling.txt"]
    assert "not a regular file" in told["pipe.txt"]
    assert "0 bytes" in told["zero.pdf"]
    assert "not a PDF" in told["page.pdf"]
    assert "password" in told["old.docx"]
    assert "no Excel workbook" in told["noise.xlsx"]
    assert "binary" in told["program.txt"]
    assert len(told) == 10


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files_and_folders_are_failures(tmp_path: Path) -> None:
    write(tmp_path / "secret.txt").chmod(0)
    write(tmp_path / "vault" / "inside.txt")
    (tmp_path / "vault").chmod(0)
    try:
        told = reasons(discover(tmp_path))
    finally:
        (tmp_path / "vault").chmod(0o700)
    assert "permission denied" in told["secret.txt"]
    assert "cannot be read" in told["vault"]


def test_names_that_are_not_utf8_become_legible(tmp_path: Path) -> None:
    write(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")), "text")
    ((reference,), failures) = discover(tmp_path)
    assert failures == []
    assert reference.name == "caf�.txt"
    assert reference.path.read_bytes() == b"text"
