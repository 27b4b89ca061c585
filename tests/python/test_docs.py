# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is what is compiled and run."""

import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).parents[2]


def test_the_readmes_program_is_the_example():
    shown = re.search(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
    built = (ROOT / "examples" / "first.cpp").read_text().split("// [example]\n")[1]
    assert shown == built


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
