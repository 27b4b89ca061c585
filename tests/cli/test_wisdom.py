# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep wisdom`: what a tuner has kept is listed, shown, carried elsewhere and forgotten."""

import json
import os

import pytest
from sixstep_command import COMMAND, ENVIRONMENT, run, run_alone, run_line


def entry(problem, level="quick", seconds=0.0125, when="2026-11-22T21:45:00Z"):
    return {
        "key": {"problem": problem, "ranks": "4"},
        "found": {"exchange": "pairwise", "windows": "8"},
        "level": level,
        "seconds": seconds,
        "default_seconds": 0.025,
        "when": when,
    }


def write(file, *entries):
    lines = ",\n".join(json.dumps(entry, separators=(",", ":"), ensure_ascii=False) for entry in entries)
    checksum = 0xCBF29CE484222325
    for byte in lines.encode():
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    file.write_text(f'{{"sixstep_wisdom": 1,\n"checksum": "{checksum:016x}",\n"entries": [\n{lines}\n]}}\n')


def told(*arguments):
    outcome = run_alone("wisdom", *arguments)
    assert outcome.code == 0, outcome.stderr
    assert outcome.stderr == ""
    return outcome.stdout


def problems(file):
    return [entry["key"]["problem"] for entry in json.loads(told("list", "--json", "--file", file))["entries"]]


@pytest.fixture(name="file")
def file_of_three(tmp_path):
    file = tmp_path / "wisdom.json"
    write(file, entry("c2c 64 x 64"), entry("r2c 100\n"), entry("Köln", "exhaustive"))
    return file


def test_a_list_has_a_numbered_line_for_each_entry(file):
    head, empty, title, *lines = told("list", "--file", file).splitlines()
    assert head == f"{file}: 3 entries"
    assert empty == ""
    assert title.split() == ["N", "time", "gain", "level", "when", "ranks", "problem"]
    assert [line.split(maxsplit=7) for line in lines] == [
        ["1", "12.5", "ms", "2.00", "quick", "2026-11-22T21:45:00Z", "4", "c2c 64 x 64"],
        ["2", "12.5", "ms", "2.00", "quick", "2026-11-22T21:45:00Z", "4", "r2c 100?"],
        ["3", "12.5", "ms", "2.00", "exhaustive", "2026-11-22T21:45:00Z", "4", "Köln"],
    ]


def test_a_list_does_without_names_that_it_knows(tmp_path):
    write(tmp_path / "wisdom.json", entry("") | {"key": {"length": "64", "cpu": "mine"}})
    assert told("list", "--file", tmp_path / "wisdom.json").splitlines()[-1].endswith("  length 64, cpu mine")


def test_json_has_all_of_an_entry(file):
    listed = json.loads(told("list", "--json", "--file", file))
    assert listed["file"] == str(file)
    assert listed["entries"][2] == {"number": 3} | entry("Köln", "exhaustive")
    assert json.loads(told("show", 3, "--json", "--file", file)) == listed["entries"][2]


def test_an_entry_is_shown(file):
    rows = [line.split(maxsplit=1) for line in told("show", 1, "--file", file).splitlines()]
    assert rows == [
        ["problem", "c2c 64 x 64"],
        ["ranks", "4"],
        ["found", "exchange pairwise"],
        ["windows", "8"],
        ["time", "12.5 ms"],
        ["time", "by default  25 ms"],
        ["gain", "2.00"],
        ["level", "quick"],
        ["when", "2026-11-22T21:45:00Z"],
    ]


def test_entries_are_forgotten(file):
    assert told("forget", 3, 1, "--file", file) == f"{file}: 2 entries forgotten\n"
    assert problems(file) == ["r2c 100\n"]
    assert told("forget", "--all", "--file", file) == f"{file}: 1 entry forgotten\n"
    assert problems(file) == []


def test_entries_are_carried_elsewhere(file, tmp_path):
    copy, mine = tmp_path / "copy.json", tmp_path / "a" / "home" / "wisdom.json"
    assert told("export", copy, "--file", file) == f"{copy}: 3 entries\n"
    assert copy.read_bytes() == file.read_bytes()
    assert told("import", copy, "--file", mine) == f"{mine}: 3 entries of 3 taken\n"
    assert mine.read_bytes() == file.read_bytes()
    assert told("import", copy, "--file", mine) == f"{mine}: 0 entries of 3 taken\n"
    assert sorted(os.listdir(tmp_path)) == ["a", "copy.json", "wisdom.json"]


def test_of_equal_keys_the_more_thorough_is_taken_then_the_later(file, tmp_path):
    other = tmp_path / "other.json"
    later = "2027-01-01T00:00:00Z"
    write(other, entry("c2c 64 x 64", seconds=0.0175, when=later), entry("Köln", when=later), entry("new"))
    assert told("import", other, "--file", file) == f"{file}: 2 entries of 3 taken\n"
    entries = json.loads(told("list", "--json", "--file", file))["entries"]
    assert [(entry["key"]["problem"], entry["seconds"], entry["level"]) for entry in entries] == [
        ("c2c 64 x 64", 0.0175, "quick"),
        ("r2c 100\n", 0.0125, "quick"),
        ("Köln", 0.0125, "exhaustive"),
        ("new", 0.0125, "quick"),
    ]


def test_the_file_is_that_of_the_environment(file, tmp_path):
    def listed(*environment):
        return run_line(["env", "-u", "SIXSTEP_WISDOM", "-u", "XDG_DATA_HOME", *environment, COMMAND, "wisdom", "list"])

    assert listed(f"SIXSTEP_WISDOM={file}").stdout.startswith(f"{file}: 3 entries\n")
    home = tmp_path / ".local" / "share" / "sixstep" / "wisdom.json"
    assert listed(f"HOME={tmp_path}").stdout == f"{home}: 0 entries\n"
    assert listed("HOME=").messages == ["sixstep: --file: a file is needed where there is no home, none was given"]
    empty = listed(f"HOME={tmp_path}", "SIXSTEP_WISDOM=")
    assert empty.code == 1
    assert empty.messages == ["sixstep: --file: a file is needed where SIXSTEP_WISDOM is empty, none was given"]


def test_ranks_do_not_repeat_it(file):
    assert run(2, "wisdom", "forget", "2", "--file", file).stdout == f"{file}: 1 entry forgotten\n"


def test_what_is_looked_at_is_left_as_it_is(tmp_path):
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years of work")
    mine = tmp_path / "mine.json"
    for arguments in (["list", "--file", thesis], ["show", 1, "--file", thesis], ["import", thesis, "--file", mine]):
        outcome = run_alone("wisdom", *arguments)
        assert outcome.code == 1
        assert outcome.messages == [f"sixstep: {thesis}: it is no wisdom file"]
    assert os.listdir(tmp_path) == ["thesis.txt"]


def test_what_is_not_ours_is_neither_used_nor_changed(tmp_path, monkeypatch):
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years of work")
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_WISDOM", str(thesis))
    outcome = run(2, "bench", 8, 8)
    assert outcome.code == 0
    assert outcome.messages == [f"sixstep: {thesis}: it is no wisdom file; it is not used"]
    for line in (["tune", 8, 8, "--seconds", "0.1"], ["wisdom", "forget", "--all"]):
        assert f"{thesis}: it is no wisdom file; it is left as it is" in run_alone(*line).messages[-1]
    assert thesis.read_text() == "years of work"
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".bad")]


def test_a_file_of_ours_that_is_damaged_is_replaced_when_it_is_changed(file):
    file.write_bytes(file.read_bytes().replace(b"0.0125", b"0.0126"))
    outcome = run_alone("wisdom", "forget", "--all", "--file", file)
    assert outcome.code == 0
    assert outcome.messages == [f"sixstep: {file}: it is damaged; it was replaced, without its entries"]
    assert problems(file) == []


def test_any_seconds_are_taken(tmp_path, monkeypatch):
    file = tmp_path / "wisdom.json"
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_WISDOM", str(file))
    assert run_alone("tune", 8, 8, "--seconds", "0.1").code == 0
    entries = json.loads(file.read_text())["entries"]
    write(file, *(found | {"seconds": 1e-310} for found in entries))
    assert "earlier" in run_alone("tune", 8, 8, "--seconds", "0.1").stdout


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        ([], 2, "subcommand is required"),
        (["lst"], 2, "there is no command 'lst'"),
        (["list", "--jason"], 2, "there is no option '--jason'"),
        (["show"], 2, "N is required"),
        (["show", "first"], 2, "N: a whole number is needed, 'first' was given"),
        (["show", "0"], 2, "N: 1 or more are needed, 0 was given"),
        (["show", "4"], 1, "N: a number from 1 to 3 is needed, 4 was given"),
        (["forget", "1", "4"], 1, "N: a number from 1 to 3 is needed, 4 was given"),
        (["forget"], 2, "N or --all"),
        (["forget", "1", "--all"], 2, "N excludes --all"),
        (["export"], 2, "FILE"),
        (["export", "/"], 1, "FILE: a new file is needed, / already exists"),
        (["export", "/proc/none"], 1, "/proc/none: cannot be written"),
        (["import", "/proc/none"], 1, "FILE: a wisdom file is needed, /proc/none does not exist"),
    ],
)
def test_mistakes_are_named(file, arguments, code, said):
    if arguments and arguments[0] != "lst":
        arguments = [*arguments, "--file", file]
    before = file.read_bytes()
    outcome = run_alone("wisdom", *arguments)
    assert outcome.code == code
    assert said in outcome.messages[0]
    assert file.read_bytes() == before


def test_a_file_without_entries_has_none_to_show(tmp_path):
    file = tmp_path / "wisdom.json"
    outcome = run_alone("wisdom", "show", 1, "--file", file)
    assert outcome.code == 1
    assert outcome.messages == [f"sixstep: N: {file} has no entries, 1 was given"]


@pytest.mark.parametrize("command", [[], ["list"], ["show"], ["export"], ["import"], ["forget"]])
def test_each_command_explains_itself(command):
    words = told(*command, "--help")
    assert "Usage: sixstep wisdom" in words
    assert ("--file FILE" in words) == bool(command)
