# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep tune`: what is found is told, kept, and used again."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import threading

import pytest
import sixstep_command
from sixstep_command import COMMAND, ENVIRONMENT, MPIEXEC, run, run_alone, succeed


@pytest.fixture
def wisdom(tmp_path, monkeypatch):
    file = tmp_path / "wisdom.json"
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_WISDOM", str(file))
    return file


def tune(ranks, *arguments):
    outcome = run(ranks, "tune", *arguments)
    assert outcome.code == 0, outcome.stderr
    return outcome.stdout


def kept(file):
    return json.loads(file.read_text())["entries"]


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_what_is_found_is_kept_and_answers(ranks, wisdom, tmp_path):
    figures = tmp_path / "figures.json"
    words = tune(ranks, 16, 12, 20, "--seconds", 4, "--json", figures)
    assert "there and back" in words and str(wisdom) in words
    found = json.loads(figures.read_text())
    assert found["seconds"] > 0 and found["races"] > 0 and not found["was_kept"]
    # Under the problem with any grid, and with the one that was found.
    assert [entry["seconds"] for entry in kept(wisdom)] == [found["seconds"]] * 2
    assert "earlier" in tune(ranks, 16, 12, 20, "--json", figures)
    assert json.loads(figures.read_text())["settings"] == found["settings"]
    assert "races" in tune(ranks, 16, 12, 20, "--seconds", "0.2", "--anew")
    assert len(run_alone("wisdom", "list", "--json").stdout) > 100


def test_a_layout_that_is_given_is_kept(wisdom):
    words = tune(4, 16, 16, 16, "--layout", "2x2", "--kind", "r2c", "--seconds", "0.2")
    assert "over 2 x 2 x 1 ranks" in words
    assert len(kept(wisdom)) == 1


def test_of_all_combinations_there_are_more(wisdom, tmp_path):
    figures = tmp_path / "figures.json"
    tune(2, 8, 8, "--level", "exhaustive", "--layout", "slab", "--exchange", "pairwise", "--windows", 1, "--json",
         figures)
    # The first round has 18 races; others follow if one of them is won, which time decides.
    assert json.loads(figures.read_text())["races"] >= 18
    assert kept(wisdom)[0]["level"] == "exhaustive"


def read_until(words, terminal, process):
    """Waits until a process shows these words on a terminal."""
    shown = ""
    while words not in shown:
        assert process.poll() is None, f"it has ended: {shown}"
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096).decode()


def read_all(terminal):
    """So that nobody waits for room to write."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass


@contextlib.contextmanager
def long_search(folder, stderr, redirection=""):
    """A search that takes minutes, on two ranks, and a function that interrupts it and gives its words."""
    ranks = folder / "ranks"
    # The ranks say who they are: what a launcher makes of an interrupt is its own business.
    shell = ["sh", "-c", f'echo $$ >>{ranks}; exec "$0" "$@" {redirection}', COMMAND]
    with subprocess.Popen(
        [*MPIEXEC, "-n", "2", *shell, "tune", "96", "100", "90", "--level", "exhaustive"],
        env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, text=True
    ) as process:
        def interrupt():
            for rank in ranks.read_text().split():
                os.kill(int(rank), signal.SIGINT)
            return process.communicate(timeout=sixstep_command.TIMEOUT_S)[0]

        try:
            yield process, interrupt
        finally:
            process.kill()


def test_an_interrupt_keeps_what_was_found(wisdom, tmp_path):
    terminal, line = pty.openpty()
    with long_search(tmp_path, None, f"2>{os.ttyname(line)}") as (process, interrupt):
        try:
            read_until("race ", terminal, process)
            threading.Thread(target=read_all, args=(terminal,), daemon=True).start()
            words = interrupt()
        finally:
            os.close(terminal)
            os.close(line)
    assert process.returncode == 0 and "interrupted" in words
    assert kept(wisdom)[0]["level"] == "quick"  # it has not seen all combinations


def test_a_second_interrupt_ends_a_race_that_lasts(tmp_path):
    with long_search(tmp_path, subprocess.PIPE) as (process, _):
        next(line for line in process.stderr if "race " in line)
        first, second = (int(rank) for rank in (tmp_path / "ranks").read_text().split())
        os.kill(first, signal.SIGSTOP)  # so that the race of the other one has no end
        try:
            for _ in range(100):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(second, signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.5)
                    break
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(first, signal.SIGKILL)
        assert process.wait(sixstep_command.TIMEOUT_S) != 0


@pytest.mark.parametrize("words", [[2**57], [10**12, "--precision", "single"], [10**6, 10**6, "--layout", "slab"]])
def test_what_no_machine_has_the_memory_for_is_refused_before_tables_are_made(words):
    outcome = run(2, "tune", *words)
    assert outcome.code != 0
    assert len(outcome.messages) == 1 and "memory: 2 arrays of" in outcome.messages[0], outcome.stderr


def test_what_takes_long_says_so_where_no_terminal_is(tmp_path):
    with long_search(tmp_path, subprocess.PIPE) as (process, interrupt):
        line = next(line for line in process.stderr if "race " in line)
        interrupt()
    assert "\r" not in line and line.endswith(" s\n")


def test_where_nothing_is_kept_it_says_so():
    assert "SIXSTEP_WISDOM is empty" in tune(2, 16, 16, "--seconds", "0.1")


@pytest.mark.parametrize("arguments, words", [
    ([], "shape: extents are needed, or --machine"),
    (["16", "--machine"], "shape excludes --machine"),
    (["16", "--level", "model"], "--level: model not in {quick,exhaustive}"),
    (["16", "--seconds", "0"], "--seconds"),
    (["16", "--layout", "pencil"], "pencils need 2 axes"),
    (["16", "--json", "/nowhere/figures.json"], "/nowhere/figures.json: cannot be written"),
    (["16", "--json", "/dev/full"], "/dev/full: cannot be written"),
])
def test_what_cannot_be_is_told_once(arguments, words):
    outcome = run(2, "tune", *arguments)
    assert outcome.code != 0
    assert len(outcome.messages) == 1 and words in outcome.messages[0]
