# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is what is compiled and run."""

import os
import pathlib
import re
import subprocess
import textwrap

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def test_the_readmes_program_is_the_example():
    shown = re.search(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
    built = (ROOT / "examples" / "first.cpp").read_text().split("// [example]\n")[1]
    assert shown == built


def test_the_readmes_command_runs_it():
    if not (ROOT / "build" / "mpich" / "examples" / "first").exists():
        pytest.skip("the preset mpich is not built")
    line = re.search(r"^    (cmake --preset mpich .*)$", (ROOT / "README.md").read_text(), re.MULTILINE).group(1)
    done = subprocess.run(line, shell=True, cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, text=True,
                          capture_output=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("X[0] = 192000\n")


def test_regions_of_the_tutorial_are_those_of_the_examples():
    tutorial = (ROOT / "docs" / "tutorial.md").read_text()
    shown = re.findall(r"<!-- region (\w+) of (\S+) -->\n```\w+\n(.*?)```", tutorial, re.DOTALL)
    assert len(shown) == tutorial.count("<!-- region")
    for name, path, code in shown:
        comment = "!" if path.endswith(".f90") else "//"
        text = (ROOT / path).read_text()
        assert textwrap.dedent(re.split(rf"(?m)^ *{comment} \[{name}\]\n", text)[1]) == code


def test_documents_link_to_files_that_exist():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)#]+)\)", prose):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page}: {link}"
