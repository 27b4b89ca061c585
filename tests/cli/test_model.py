# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep model`, and `sixstep plan --machine`: what a transform would cost on a machine."""

import json
import re
import struct
import subprocess

import pytest
from sixstep_command import ENVIRONMENT, ROOT, run_alone

VOLUMETRIC = ["model", 256, 256, 256, "--machine", "t2k-tsukuba", "--output", "transposed"]


def told(*arguments):
    outcome = run_alone(*arguments)
    assert outcome.code == 0, outcome.stderr
    assert outcome.stderr == ""
    return outcome.stdout


def modelled(*arguments):
    return json.loads(told(*arguments, "--json"))


def seconds(model, layout):
    return {point["ranks"]: point["seconds"] for point in model["points"] if point["layout"] == layout}


def test_slabs_are_fastest_up_to_64_ranks_and_pencils_beyond():
    model = modelled(*VOLUMETRIC, "--ranks", "16:1024", "--layout", "slab,pencil")
    assert model["fastest"] == [
        {"layout": "slab", "first": 16, "last": 64},
        {"layout": "pencil", "first": 128, "last": 1024},
    ]
    assert list(seconds(model, "pencil")) == [16, 32, 64, 128, 256, 512, 1024]
    assert list(seconds(model, "slab")) == [16, 32, 64, 128, 256]  # more ranks would be idle
    published, = json.loads((ROOT / "machines" / "t2k-tsukuba.json").read_text())["published"]
    for ranks, time in seconds(model, "pencil").items():
        assert time == pytest.approx(published["seconds"][str(ranks)], rel=0.12)


def test_takahashis_formula_comes_out():
    point, = modelled("model", "256x256x256", "--machine", "takahashi-formula", "--ranks", 64, "--layout", "slab",
                      "--output", "transposed")["points"]
    assert point["seconds"] == pytest.approx(63 * (1e-5 + 16 * 256**3 / 64**2 / 1e9), rel=1e-12)
    assert point["gflops"] == pytest.approx(5e-9 * 256**3 * 24 / point["seconds"])


def test_a_table_has_a_line_for_each_number_of_ranks():
    words = told(*VOLUMETRIC, "--ranks", "1:8")
    assert re.findall(r"^ +(\d+) ", words, re.MULTILINE) == ["1", "2", "4", "8"]
    assert re.search(r"slab +pencil +brick", words)
    assert "fastest from 1 to 8 ranks: " in words
    assert "16 ranks a node" in words


def test_an_array_has_as_many_decompositions_as_it_can():
    axis = modelled("model", 65536, "--machine", "bluegene-q", "--ranks", "4:8")
    assert {point["layout"] for point in axis["points"]} == {"slab"}
    plane = modelled("model", 256, 256, "--machine", "bluegene-q", "--ranks", "4:8")
    assert {point["layout"] for point in plane["points"]} == {"slab", "pencil"}


def test_nodes_gather_messages_and_windows_hide_them():
    pencils = [*VOLUMETRIC, "--layout", "pencil", "--ranks"]
    plain, gathered = modelled(*pencils, 1024), modelled(*pencils, 1024, "--node-ranks", 16)
    assert gathered["gathered"] and gathered["node_ranks"] == 16
    assert gathered["points"][0]["communication_s"] < plain["points"][0]["communication_s"]
    plain, hidden = modelled(*pencils, 16), modelled(*pencils, 16, "--windows", 4)
    assert hidden["points"][0]["seconds"] < plain["points"][0]["seconds"]


def test_real_transforms_and_single_precision_cost_less():
    def cost(*options):
        return modelled(*VOLUMETRIC, "--ranks", 64, "--layout", "slab", *options)["points"][0]["seconds"]

    assert cost("--kind", "r2c") < 0.6 * cost()
    assert cost("--precision", "single") < 0.6 * cost()


@pytest.mark.parametrize("operator, fields", [("laplacian", 1 + 1), ("gradient", 1 + 3), ("project", 3 + 3)])
def test_an_operator_is_modelled(operator, fields):
    def of_slabs(*options):
        point, = modelled("model", "64x64x64", "--machine", "t2k-tsukuba", "--ranks", 16, "--layout", "slab",
                          "--kind", "r2c", *options)["points"]
        return point

    point = of_slabs("--operator", operator)
    assert (point["passes"], point["exchanges"]) == (3, 2)
    # Each rank sends 15 of 16 parts of its share of the coefficients, of every field and every result.
    assert point["sent_bytes"] == 16 * 64 * 64 * 33 / 16 * 15 / 16 * fields
    assert point["memory_bytes"] >= 2 * 8 * 64**3 / 16 * fields
    assert point["gflops"] * point["seconds"] == pytest.approx(2.5e-9 * fields * 64**3 * 18)
    assert point["seconds"] > of_slabs("--output", "transposed")["seconds"] * fields * 0.8


def test_an_operator_between_walls_is_modelled():
    model = modelled("model", 64, 48, "--machine", "t2k-tsukuba", "--ranks", 4, "--layout", "slab", "--operator",
                     "inverse_laplacian", "--walls", "periodic,neumann")
    assert model["operator"] == "inverse_laplacian" and model["kind"] == "r2c,dct2"
    assert modelled(*VOLUMETRIC, "--ranks", 4)["operator"] is None
    words = told("model", 64, 48, "--machine", "t2k-tsukuba", "--ranks", 4, "--operator", "gradient")
    assert "double precision, operator gradient, on t2k" in words


def test_a_plan_tells_the_seconds_of_its_steps():
    plan = ["plan", 256, 256, 256, "--ranks", 64, "--layout", "8x8"]
    plain, priced = told(*plan).splitlines(), told(*plan, "--machine", "t2k-tsukuba").splitlines()
    assert [line[12:].partition("; communication")[0] for line in priced] == plain
    for line in priced:
        is_priced = line[12:].startswith(("pass", "exchange", "total"))
        assert bool(re.match(r" *[\d.]+ [mu]?s  ", line)) == is_priced, line
    by_messages, by_nodes = (told(*plan, "--machine", "bluegene-q", *more) for more in ([], ["--node-ranks", 16]))
    assert by_messages != by_nodes


def test_a_composition_tells_the_seconds_of_its_steps():
    words = told("plan", 1048573, "--ranks", 64, "--machine", "bluegene-q")
    assert "method " in words and re.search(r"s  pass +times", words)


def test_a_machine_may_be_a_file(tmp_path):
    machine = json.loads((ROOT / "machines" / "takahashi-formula.json").read_text())
    file = tmp_path / "mine.json"
    machine["network"]["latency_s"] = 1
    file.write_text(json.dumps(machine))
    assert modelled("model", 64, 64, "--machine", file, "--ranks", 2)["points"][0]["seconds"] > 1
    machine["network"]["latency_s"] = -1
    file.write_text(json.dumps(machine))
    outcome = run_alone("model", 64, 64, "--machine", file)
    assert outcome.code == 1
    assert outcome.messages == [
        f"sixstep: {file}: network.latency_s: a number of at least 0 is needed, -1 was given"
    ]


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (["--machine", "t3k"], 1, "--machine: a file, or one of bluegene-q, k-computer"),
        (["--machine", "t2k-tsukuba", "--ranks", "8:4"], 2, "must not exceed the last, 8:4 was given"),
        (["--machine", "t2k-tsukuba", "--ranks", "1:two"], 2, "a whole number is needed, 'two' was given"),
        (["--machine", "t2k-tsukuba", "--ranks", "0"], 2, "1 or more are needed, 0 was given"),
        (["--machine", "t2k-tsukuba", "--layout", "slab,4x2"], 2, "'4x2' was given"),
        (["--machine", "t2k-tsukuba", "--node-ranks", "17"], 1, "has 16 cores, 17 ranks were given"),
        (["--machine", "bluegene-q", "--ranks", "262144", "--layout", "pencil"], 1, "131072 nodes, 262144 are needed"),
        (["--machine", "miyabi-g", "--operator", "laplacian"], 1, "--operator: operators are priced on the host"),
        (["--machine", "t2k-tsukuba", "--operator", "laplacian", "--output", "natural"], 2, "excludes"),
        ([], 2, "--machine"),
    ],
)
def test_mistakes_are_named(arguments, code, said):
    outcome = run_alone("model", 1024, 1024, *arguments)
    assert outcome.code == code
    assert said in outcome.messages[0]


def test_machines_are_listed_with_their_sources():
    words = told("model", "--machines")
    for file in (ROOT / "machines").glob("*.json"):
        assert re.search(rf"^{file.stem} +\S", words, re.MULTILINE)


def test_a_model_is_drawn(tmp_path):
    picture = tmp_path / "it's t2k.png"
    assert "fastest from" in told(*VOLUMETRIC, "--ranks", "1:64", "--plot", picture)
    content = picture.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == (900, 620)
    blank = tmp_path / "blank.png"
    told(*VOLUMETRIC, "--ranks", "1:64", "--layout", "slab", "--plot", blank)
    assert blank.read_bytes() != content


def drawn(tmp_path, *arguments):
    """The data for gnuplot, by what it is called."""
    script = tmp_path / "model.gp"
    told(*arguments, "--plot", script)
    words = script.read_text()
    names = re.findall(r"(\$data\d) using 1:2 .*? title '(.*?)'", words)
    data = dict(re.findall(r"(\$data\d) << EOD\n(.*?)EOD", words, re.DOTALL))
    return {name: [tuple(map(float, line.split())) for line in data[variable].splitlines()] for variable, name in names}


def test_a_picture_shows_what_was_published_of_that_case(tmp_path):
    found = drawn(tmp_path, *VOLUMETRIC, "--ranks", "16:32")
    assert list(found) == ["slab", "pencil", "brick", "pencil, published"]
    assert [ranks for ranks, _, _ in found["slab"]] == [16, 32]
    assert found["pencil, published"][4] == (16, 0.34474, 0.11832)
    assert found["pencil"][0][1] == pytest.approx(seconds(modelled(*VOLUMETRIC, "--ranks", 16), "pencil")[16], rel=1e-5)
    assert "published: Takahashi: volumetric" in (tmp_path / "model.gp").read_text()
    for other in (["--node-ranks", 16], ["--windows", 2], ["--precision", "single"], ["--axes", "0,1"]):
        assert "pencil, published" not in drawn(tmp_path, *VOLUMETRIC, "--ranks", 16, *other)
    axis = drawn(
        tmp_path, "model", 1 << 24, "--machine", "oakforest-pacs", "--ranks", 128, "--output", "natural"
    )
    ranks, time, communication = axis["slab, published"][0]
    assert (ranks, communication) == (128, 0)
    assert 5e-9 * 2**24 * 24 / time == pytest.approx(109.4, rel=1e-4)


def test_a_script_draws_a_picture_beside_it(tmp_path):
    told(*VOLUMETRIC, "--ranks", 16, "--plot", tmp_path / "model.gp")
    subprocess.run(["gnuplot", tmp_path / "model.gp"], check=True, timeout=100)
    assert (tmp_path / "model.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "file, said",
    [
        ("model.pdf", "a file named .png or .gp is needed"),
        ("nowhere/model.png", "cannot be written"),
        ("nowhere/model.gp", "cannot be written"),
    ],
)
def test_where_nothing_can_be_drawn_it_says_so(tmp_path, file, said):
    outcome = run_alone(*VOLUMETRIC, "--ranks", 16, "--plot", tmp_path / file)
    assert outcome.code == 1 and outcome.stdout == ""
    assert len(outcome.messages) == 1 and said in outcome.messages[0]
    assert not list(tmp_path.iterdir())


def test_without_gnuplot_its_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(ENVIRONMENT, "PATH", str(tmp_path))
    outcome = run_alone(*VOLUMETRIC, "--ranks", 16, "--plot", tmp_path / "model.png")
    assert outcome.code == 1
    assert outcome.messages == ["sixstep: --plot: gnuplot is needed, and was not found (Debian: gnuplot-nox); "
                                "a .gp file does not need it"]
    assert run_alone(*VOLUMETRIC, "--ranks", 16, "--plot", tmp_path / "model.gp").code == 0


def test_what_takes_no_time_cannot_be_drawn(tmp_path):
    outcome = run_alone("model", 64, 64, "--machine", "takahashi-formula", "--ranks", 1, "--plot", tmp_path / "x.gp")
    assert outcome.code == 1 and "all transforms take 0 s" in outcome.messages[0]
