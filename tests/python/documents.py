# SPDX-License-Identifier: BSD-3-Clause
"""The documents' code blocks, and by what each is checked: what the comment before it says.

    <!-- region NAME of FILE -->     the lines between two comments [NAME] of a file that is built and run
    <!-- output of COMMAND -->       what the command prints, but for what MASK says differs
    <!-- run -->                     a script that succeeds; `<!-- run with 256 as 16, A as B -->`: after these
                                     replacements; `<!-- run in the tree -->`: at its root
    <!-- run in a copy -->          commands that build and install the tree, as they stand, in a copy of it
    <!-- not run: REASON -->         what cannot be checked here, and why

Blocks of Sphinx's directives, ```{...}, have none. `documents.py --update` writes regions and outputs anew.
"""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

import markdown_it
import numpy

ROOT = pathlib.Path(__file__).parents[2]
BUILD = ROOT / "build" / "mpich"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Files that are built and run by the tests.
CHECKED = ("examples/", "tests/consumer/", "tests/others/")
# What differs from run to run and from machine to machine.
MASK = re.compile(
    r"\b\d+(\.\d+)?(e[-+]?\d+)?(?= (s|ms|us|[kMG]B/s|GFLOP/s)\b)"  # times and rates
    r"|(?<=kernels: )[\w-]+"  # the instruction set
    r"|(?<=a pass, as )[\d.]+ [KM]iB"  # a share of the caches
)


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    line: int  # of the first line of code, from 0
    code: str
    marker: str  # "" if there is none

    def __str__(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page):
    """All of a page's, in order."""
    tokens = markdown_it.MarkdownIt("commonmark").parse(page.read_text())
    for before, token in zip([None, *tokens], tokens):
        if token.type == "code_block" or token.type == "fence" and not token.info.startswith("{"):
            said = before.content if before and before.type == "html_block" else ""
            comment = re.fullmatch(r"<!-- (.*) -->\n?", said)
            first = token.map[0] + (token.type == "fence")
            yield Block(page, first, token.content, comment.group(1) if comment else "")


def all_blocks(form):
    """Those whose marker has this form, with what it matches."""
    found = ((block, re.fullmatch(form, block.marker)) for page in PAGES for block in blocks(page))
    return [(block, match) for block, match in found if match]


REGION = r"region (\w+) of (\S+)"
OUTPUT = r"output of (.+)"
COPY = r"run in a copy"
RUN = r"run( in the tree)?(?: with (.+))?"
NOT_RUN = r"not run: .+"


def region(name, path):
    comment = {".f90": "!", ".py": "#", ".txt": "#"}.get(pathlib.Path(path).suffix, "//")
    parts = re.split(rf"(?m)^ *{comment} \[{name}\]\n", (ROOT / path).read_text())
    assert len(parts) == 3, f"{path}: region {name} is not between two comments"
    return textwrap.dedent(parts[1])


def replaced(code, pairs):
    for pair in (pairs or "").split(", "):
        if pair:
            old, new = pair.split(" as ")
            assert old in code, f"{old} is not there"
            code = code.replace(old, new)
    return code


class Shell:
    """A folder with what the preset mpich has built, installed, the tree's folders, a small volume.npy, some wisdom."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("bench", "build", "docs", "examples", "machines", "python", "scripts"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "you.cpp").symlink_to(ROOT / "examples" / "first.cpp")
        numpy.save(self.folder / "volume.npy", numpy.random.default_rng(0).random((12, 10, 8)))
        prefix = self.folder / "installed"
        install = ["cmake", "--install", BUILD, "--prefix", prefix]
        done = subprocess.run(install, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        preloaded = [BUILD / "tests" / f"{name}_when_idle.so" for name in ("sleep", "yield")]
        preload = f"-genv LD_PRELOAD {':'.join(map(str, preloaded))}" if all(map(os.path.exists, preloaded)) else ""
        for name, words in {"mpiexec": f"mpiexec.mpich {preload}", "mpicxx": "mpicxx.mpich"}.items():
            (prefix / "bin" / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
            (prefix / "bin" / name).chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{prefix}/bin:/usr/bin:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": ":".join(str(folder) for folder in prefix.rglob("pkgconfig")),
            "OMP_NUM_THREADS": "1",
            "XDG_DATA_HOME": str(self.folder / "data"),
        }
        self.run("sixstep tune 8 8 --seconds 0.2")

    def run(self, code, folder=None):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=folder or self.folder, env=self.environment,
                              text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, f"{code}\n{done.stdout}{done.stderr}"
        return done.stdout


def update():
    """Writes what the code and the commands say now into the pages."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(folder)
        for page in PAGES:
            lines = page.read_text().splitlines(keepends=True)
            for block in reversed(list(blocks(page))):
                new = block.code
                if match := re.fullmatch(REGION, block.marker):
                    new = region(*match.groups())
                elif match := re.fullmatch(OUTPUT, block.marker):
                    said = shell.run(match.group(1))
                    new = new if MASK.sub("#", said) == MASK.sub("#", new) else said
                if new != block.code:
                    indent = re.match(" *", lines[block.line - 1]).group(0)
                    lines[block.line : block.line + block.code.count("\n")] = [textwrap.indent(new, indent)]
            page.write_text("".join(lines))


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"] or shutil.which("mpiexec.mpich") is None:
        sys.exit(__doc__)
    update()
