# SPDX-License-Identifier: BSD-3-Clause
"""The map of the sources (docs/internals.md) agrees with them."""

import re

import pytest
from documents import ROOT

TEXT = (ROOT / "docs" / "internals.md").read_text()
MOST_WORDS = 40


def rows(heading, columns):
    """The rows of all tables below a heading."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("|") for line in section.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    return [row for row in cells if len(row) == columns and not set(row[0]) <= set("-|")]


def code(words):
    return re.findall(r"`([^`]+)`", words)


PATH = [(code(call)[0], code(file)[0]) for call, file, _ in rows("One transform, file by file", 3)[1:]]


@pytest.mark.parametrize("number", range(len(PATH)))
def test_a_transform_can_be_followed_call_by_call(number):
    call, file = PATH[number]
    text = (ROOT / file).read_text()
    assert re.search(rf"\b{call}\(", text), f"{file} does not define {call}"
    if number + 1 < len(PATH):
        then, _ = PATH[number + 1]
        assert re.search(rf"\b{then}\(", text), f"{file} does not call {then}"


def test_the_path_has_at_most_12_files():
    assert len({file for _, file in PATH}) <= 12


def test_planning_names_files_that_exist():
    for first, _ in rows("One transform, file by file", 2)[1:]:
        folder = None
        for name in code(first):
            path = ROOT / name if "/" in name else folder / name
            assert path.is_file(), path
            folder = path.parent


def test_each_folder_is_a_room():
    rooms = {name.rstrip("/") for first, *_ in rows("Where things are", 3) for name in code(first)}
    folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
    assert folders <= rooms, f"rooms that the map lacks: {folders - rooms}"


def test_patterns_of_the_map_name_files_that_exist():
    for room, holds, *_ in rows("Where things are", 3)[1:]:
        for folder in code(room):
            for name in code(holds):
                if re.fullmatch(r"[\w/]+\*?\.(\*|hpp|cpp)|\w+\*", name) and "/" not in name:
                    assert list((ROOT / "src" / folder).glob(name)), f"{folder}{name}"


def test_no_word_has_two_meanings():
    words = [word.strip() for first, _ in rows("Words", 2)[1:] for word in first.split(",")]
    assert len(words) == len(set(words))
    assert len(words) <= MOST_WORDS
