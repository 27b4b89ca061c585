# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep tune --machine`: a machine is measured, and what it is good for."""

import json
import math
import os
import re

import pytest
from sixstep_command import ENVIRONMENT, run, run_alone, succeed

QUICK = ["--seconds", 1]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The file of two ranks."""
    file = tmp_path_factory.mktemp("machine") / "new" / "two.json"
    outcome = succeed(2, "tune", "--machine", file, *QUICK)
    assert str(file) in outcome.stdout and "one node" in outcome.stdout
    return file


def test_a_machine_file_says_what_was_measured_and_by_whom(measured):
    machine = json.loads(measured.read_text())
    assert machine["node"]["ranks"] == 2
    assert "network" not in machine and any("no network" in note for note in machine["notes"])
    assert re.search(r"tune --machine --seconds 1, 2 ranks, 1 thread each", " ".join(machine["source"]))
    for figures in (machine["memory"]["copied_bytes_per_s"], machine["inside"]["rank_bytes_per_s"],
                    machine["memory"]["alone"]["copied_bytes_per_s"]):
        sizes = list(map(int, figures))
        assert sizes == sorted(sizes) and len(sizes) > 2
        assert all(0 < figure < math.inf for figure in figures.values())
    assert all(0 < share <= 1 for share in machine["memory"]["strip_share"].values())
    for precision in ("double", "single"):
        for columns in ("", "_columns", "_reals"):
            rates = machine["core_gflops"][precision + columns]
            assert {"16", "1000", "4096"} <= set(rates)
            assert all(0 < rate < math.inf for rate in rates.values())
    assert 0 <= machine["inside"]["meeting_s"] < math.inf


def test_plans_and_models_are_priced_by_it(measured):
    words = run_alone("plan", 256, 256, 256, "--ranks", 2, "--node-ranks", 2, "--machine", measured)
    assert words.code == 0, words.stderr
    assert re.search(r"[\d.]+ [mu]?s  total .*communication", words.stdout)
    model = run_alone("model", 256, 256, "--ranks", "1:2", "--machine", measured, "--json")
    seconds = [point["seconds"] for point in json.loads(model.stdout)["points"]]
    assert all(0 < time < math.inf for time in seconds)
    outcome = run_alone("model", 256, 256, "--ranks", "4", "--machine", measured)
    assert outcome.code == 1 and "has no network" in outcome.messages[0]


def test_what_cannot_be_a_machine_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "deep").write_text('{"name": ' + "[" * 100000)
    for file, words in {"pipe": "not a regular file", "deep": "nested levels", ".": "not a regular file"}.items():
        outcome = run_alone("model", 64, 64, "--machine", tmp_path / file)
        assert outcome.code == 1
        assert len(outcome.messages) == 1 and words in outcome.messages[0], outcome.stderr
    outcome = run_alone("model", 64, 64, "--machine", "/dev/zero")
    assert outcome.code == 1 and "/dev/zero: cannot be read: it is not a regular file" in outcome.messages[0]


def test_numbers_of_the_processor_and_the_network_are_kept_and_used(tmp_path, monkeypatch):
    wisdom = tmp_path / "wisdom.json"
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_WISDOM", str(wisdom))
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_MACHINE", str(tmp_path / "machine.json"))
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_NODE_RANKS", "1")
    told = succeed(2, "tune", "--machine", *QUICK).stdout
    assert re.search(r"^numbers ", told, re.MULTILINE) and f"kept in          {wisdom}" in told
    entries = json.loads(run_alone("wisdom", "list", "--json").stdout)["entries"]
    found = {entry["key"]["calibration"]: entry["found"] for entry in entries}
    assert set(found) == {"processor", "messages"}
    words = f"least_window_message_bytes {int(found['messages']['least_window_message_bytes'])}"
    assert words in told
    planned = ["plan", 64, 64, 64, "--ranks", 2, "--machine"]
    assert re.search(rf"^measured  {words}: sixstep tune --machine, \d{{4}}-\d\d-\d\d$",
                     run_alone(*planned, "here").stdout, re.MULTILINE)
    assert "measured" not in run_alone(*planned, tmp_path / "machine.json").stdout
    wisdom.write_text(wisdom.read_text().replace(words.split()[1], "0"))
    outcome = run_alone(*planned, "here")
    assert outcome.code == 0 and "measured" not in outcome.stdout


def test_here_is_where_it_is_put_by_default(tmp_path, monkeypatch):
    for name in ("SIXSTEP_MACHINE", "XDG_DATA_HOME"):
        monkeypatch.delitem(ENVIRONMENT, name, raising=False)
    monkeypatch.setitem(ENVIRONMENT, "HOME", str(tmp_path))
    ask = ["plan", 64, 64, "--ranks", 1, "--machine", "here"]
    file = tmp_path / ".local/share/sixstep/machine.json"
    assert f"{file} does not exist; run `sixstep tune --machine`" in run_alone(*ask).messages[0]
    succeed(1, "tune", "--machine", *QUICK)
    assert json.loads(file.read_text())["node"]["ranks"] == 1
    assert run_alone(*ask).code == 0
    monkeypatch.setitem(ENVIRONMENT, "XDG_DATA_HOME", str(tmp_path / "data"))
    assert str(tmp_path / "data/sixstep/machine.json") in run_alone(*ask).messages[0]
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_MACHINE", str(tmp_path / "mine.json"))
    assert str(tmp_path / "mine.json") in run_alone(*ask).messages[0]


def test_neighbours_that_are_taken_for_nodes_have_a_network(tmp_path, monkeypatch):
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_NODE_RANKS", "2")
    succeed(4, "tune", "--machine", tmp_path / "nodes.json", *QUICK)
    machine = json.loads((tmp_path / "nodes.json").read_text())
    assert machine["node"]["ranks"] == 2
    assert machine["network"]["shape"] == {"kind": "flat"}
    assert 0 < machine["network"]["overhead_s"] <= machine["network"]["latency_s"] < math.inf
    for whose in ("node_bytes_per_s", "rank_bytes_per_s"):
        bandwidths = machine["network"][whose]
        assert {"1024", "4096", "16384"} <= set(bandwidths)
        assert all(0 < bandwidth < math.inf for bandwidth in bandwidths.values())
    assert run_alone("model", 64, 64, "--ranks", "1:64", "--machine", tmp_path / "nodes.json").code == 0


def test_a_measurement_tells_what_was_predicted(measured, tmp_path):
    words = ["bench", 64, 64, 64, "--plan-arrays", "--predict", measured, "--json", tmp_path / "bench.json"]
    assert re.search(r"^predicted +[\d.]+ [mu]?s, [+-]\d+ % of the median$", succeed(2, *words).stdout, re.MULTILINE)
    figures = json.loads((tmp_path / "bench.json").read_text())
    predicted = figures["predicted"]
    assert [step["what"] for step in predicted["steps"]] == [part["what"] for part in figures["breakdown"]]
    assert 0 < predicted["seconds"] == pytest.approx(predicted["communication"] + predicted["computation"])


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        ([], 2, "--machine"),
        (["--machine", "/dev/null/machine.json"], 1, "--machine /dev/null/machine.json: cannot be written"),
        (["--machine", "--seconds", "0"], 2, "0.1 or more are needed, 0 was given"),
        (["--machine", "--threads", "none"], 2, "a whole number is needed, 'none' was given"),
    ],
)
def test_mistakes_are_named(arguments, code, said):
    outcome = run(2, "tune", *arguments)
    assert outcome.code == code
    assert any(said in line for line in outcome.messages)


def test_a_device_is_measured(tmp_path):
    file = tmp_path / "device.json"
    outcome = succeed(2, "tune", "--machine", file, "--device", "emulated", *QUICK)
    assert "emulated device" in outcome.stdout
    machine = json.loads(file.read_text())
    assert machine["node"] == {"ranks": 2, "cores": 2}
    assert machine["device"]["name"] == "emulated device"
    assert 0 < machine["device"]["staged_bytes_per_s"] < math.inf
    for precision in ("double", "single"):
        for columns in ("", "_strips", "_reals"):
            assert all(0 < rate < math.inf for rate in machine["core_gflops"][precision + columns].values())
    # The emulated device is too slow for larger arrays in this time.
    assert max(map(int, machine["memory"]["copied_bytes_per_s"])) < 2**28
    words = run_alone("plan", 256, 256, "--ranks", 2, "--machine", file)
    assert words.code == 0 and "total" in words.stdout
    assert re.search("tune --machine --device emulated", " ".join(machine["source"]))
