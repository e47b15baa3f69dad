"""What the README and its neighbours tell a reader to do works: examples run, links lead somewhere, commands exist."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import chunkfit.cli
import flows.__main__

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "data" / "README.md"])


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def examples(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text_of(path), re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in PAGES if examples(path)], ids=relative)
def test_the_examples_of_a_page_run_one_after_the_other(path: Path, tmp_path: Path):
    shutil.copy(ROOT / "data" / "samples" / "tide-paper.pdf", tmp_path / "report.pdf")
    (tmp_path / "example.py").write_text("\n".join(examples(path)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=240
    )
    assert done.returncode == 0, done.stderr


def test_the_readme_has_examples_of_a_chunker_and_a_metric():
    code = "\n".join(examples(ROOT / "README.md"))
    assert "@chunkers.register(" in code
    assert "@strict.register(" in code


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_links_lead_to_files_of_the_project(path: Path):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text_of(path)):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_make_targets_named_on_a_page_exist(path: Path):
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^    |`)make ([a-z-]+)", text_of(path), re.MULTILINE))
    assert named <= targets


def commands_of(app: typer.Typer) -> dict[str, set[str]]:
    """Options by command."""
    group = typer.main.get_command(app)
    return {
        name: {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
        for name, command in group.commands.items()
    }


@pytest.mark.parametrize(("program", "app"), [("python -m flows", flows.__main__.app), ("chunkfit", chunkfit.cli.app)])
def test_commands_and_options_shown_in_the_readme_exist(program: str, app: typer.Typer):
    known = commands_of(app)
    shown = re.findall(rf"^    \.venv/bin/{program} ([^#\n]*)", text_of(ROOT / "README.md"), re.MULTILINE)
    assert shown
    for line in shown:
        assert set(re.findall(r"--[a-z]+", line)) <= known[line.split()[0]], line
    assert {line.split()[0] for line in shown} == set(known)
