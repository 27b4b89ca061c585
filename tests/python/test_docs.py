# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is what is compiled and run."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def test_the_readmes_program_is_the_example():
    shown = re.search(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
    built = (ROOT / "examples" / "first.cpp").read_text().split("// [example]\n")[1]
    assert shown == built


def test_documents_link_to_files_that_exist():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page}: {link}"
