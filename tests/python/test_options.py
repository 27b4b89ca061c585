# SPDX-License-Identifier: BSD-3-Clause
"""Options are written in sixstep/options.hpp; the C header and the Fortran module have the same names, numbers and
defaults."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
HEADERS = ROOT / "include" / "sixstep"
CPP = "".join((HEADERS / f"{name}.hpp").read_text() for name in
              ("kind", "bits", "local", "options", "poisson", "convolution", "open_poisson"))
C = (ROOT / "include" / "sixstep.h").read_text()
FORTRAN = re.sub(r" *& *\n *", " ", (ROOT / "fortran" / "sixstep.f90").read_text())


def words(listed):
    return [word.strip() for word in listed.split(",")]


ENUMERATIONS = {name: words(listed) for name, listed in re.findall(r"enum class (\w+) \{([^}]*)\}", CPP)}
# Names in C and Fortran begin with these words, as walls are periodic, too.
PREFIXES = {"ConvolutionMode": "convolve_", "Bits": "bits_", "Verify": "verify_"}
CPP = CPP.replace("Wire wire = {};", "double wire = 0;")  # in other languages a number, its tolerance
STRUCT = re.search(r"struct Options \{(.*?)\n  bool operator==", CPP, re.S)[1]
MEMBERS = {name: (kind, default) for kind, name, default in re.findall(r"(?m)^  ([\w:<>]+) (\w+) = (.*?);", STRUCT)}
LISTS = {"axes", "kinds", "lengths", "modes", "sphere", "columns"}


def number(default):
    """A default as C and Fortran write it, as a number; None for an empty list or text."""
    for name, listed in ENUMERATIONS.items():
        if default.startswith(f"{name}::"):
            return listed.index(default.split("::")[1])
    return {"true": 1, "false": 0, "{}": None}[default] if default[0] in "tf{" else float(default)


def test_names_are_those_of_the_enumerators():
    tables = dict(re.findall(r"names_of\((\w+)\) \{\s*return std::array\{([^}]*)\}", CPP))
    assert {name: [word.strip('"') for word in words(table)] for name, table in tables.items()} == ENUMERATIONS
    assert len(ENUMERATIONS) == 14


def test_c_has_the_same_values():
    listed = [words(values) for values in re.findall(r"enum \{([^}=]*)\}", C)]
    for name, values in ENUMERATIONS.items():
        assert [f"SIXSTEP_{PREFIXES.get(name, '').upper()}{value.upper()}" for value in values] in listed, name


def test_fortran_has_the_same_values():
    parameters = {name: int(value) for name, value in re.findall(r"\bsixstep_(\w+) = (\d+)\b", FORTRAN)}
    for name, values in ENUMERATIONS.items():
        assert [parameters[PREFIXES.get(name, "") + value] for value in values] == list(range(len(values))), name


def test_all_options_are_visited_in_order():
    assert re.findall(r'visit\("(\w+)", options\.(\w+)(?:\.tolerance)?\);', CPP) == [(name, name) for name in MEMBERS]
    assert len(MEMBERS) == 31


def test_c_has_the_same_options_and_defaults():
    struct = re.search(r"typedef struct \{([^}]*)\} sixstep_options;", C)[1]
    members = [re.sub(r"\[.*", "", word.split()[-1].strip("*")) for line in re.findall(r"(?m)^  (\w[^;]*);", struct)
               for word in words(line)]
    defaults = re.search(r"#define SIXSTEP_OPTIONS.*?\{(.*?)\n  \}", C, re.S)[1]
    values = words(re.sub(r"/\*.*?\*/|\\", "", defaults, flags=re.S))
    given = dict(zip(members, values))
    assert len(members) == len(values)
    assert set(members) - {"size", "reserved"} - {f"{name}_count" for name in LISTS} == set(MEMBERS)
    names = {f"SIXSTEP_{PREFIXES.get(name, '').upper()}{value.upper()}": i
             for name, listed in ENUMERATIONS.items() for i, value in enumerate(listed)}
    for name in set(MEMBERS) - LISTS - {"trace"}:
        value = given[name]
        assert float(names[value] if value in names else value) == number(MEMBERS[name][1]), name


def test_fortran_has_the_same_options_and_defaults():
    struct = re.search(r"type, public :: sixstep_options(.*?)end type", FORTRAN, re.S)[1]
    found = {}
    for line in re.findall(r"::(.*)", re.sub(r" *!.*", "", struct)):
        for word in re.sub(r"\(:(, :)?\)", "", line).split(","):
            name, _, default = word.strip().partition(" = ")
            found[name] = default
    assert set(found) == set(MEMBERS)
    names = {f"sixstep_{PREFIXES.get(name, '')}{value}": i
             for name, listed in ENUMERATIONS.items() for i, value in enumerate(listed)}
    names |= {".true.": 1, ".false.": 0}
    assert names[found.pop("output")] == ENUMERATIONS["Output"].index("natural_axes")
    assert found.pop("twiddle") == "0"  # axes count from 1: none
    for name, default in found.items():
        value = number(MEMBERS[name][1])
        assert (float(names.get(default, default or "nan")) == value) if value is not None else default == "", name


def extended(header, name, of_c, macro, of_fortran):
    """The members behind those of a plan, and their defaults: of a struct of C++, C and Fortran."""
    struct = re.search(rf"struct {name} : \w+(?:, \w+)? \{{(.*?)\n\}};", (HEADERS / header).read_text(), re.S)[1]
    cpp = dict(re.findall(r"(?m)^  [\w:<>]+ (\w+) = (.*?);", struct))
    members = re.findall(r"(\w+)(?:\[\w+\])?[,;]", re.sub(r"///<.*", "", re.search(
        rf"typedef struct \{{([^}}]*)\}} {of_c};", C)[1]))
    macros = re.search(rf"#define {macro}\b(.*?)\n\n", C, re.S)[1]
    defaults = words(re.sub(r"\\|[{}]", "", macros))
    assert len(members) == len(defaults)
    assert (members[:2], defaults[:2]) == (["plan", "size"], ["SIXSTEP_OPTIONS", f"sizeof({of_c})"])
    c = dict(zip(members[2:], defaults[2:]))
    struct = re.sub(r" *!.*", "", re.search(rf"public :: {of_fortran}\n(.*?)end type", FORTRAN, re.S)[1])
    fortran = {}
    for line in re.findall(r"::(.*)", struct):
        fortran |= {word: value for word, value in re.findall(r"(\w+)(?:\(:\))?(?: = ([\w.]+))?", line)}
    return cpp, c, fortran


def test_operators_have_the_same_options_and_defaults():
    cpp, c, fortran = extended("operator.hpp", "OperatorOptions", "sixstep_operator_options",
                               "SIXSTEP_OPERATOR_OPTIONS", "sixstep_operator_options")
    assert cpp == {"sides": "{}", "kept": "true"}
    result = {"result": "NULL", "result_lengths_count": "0", "result_lengths": "0", "first_count": "0", "first": "0"}
    assert c == {"kept": "1", "sides_count": "0", "sides": "0"} | result  # OperatorResult; arguments in Fortran
    assert fortran == {"kept": ".true.", "sides": ""}


def test_maps_have_the_same_options_and_defaults():
    cpp, c, fortran = extended("map.hpp", "MapOptions", "sixstep_map_options", "SIXSTEP_MAP_OPTIONS",
                               "sixstep_map_options")
    assert cpp == {"sides": "{}", "backward": "Scale::by_n", "forward": "Scale::none", "batch": "16", "results": "{}"}
    assert c == {"sides_count": "0", "sides": "0", "backward": "SIXSTEP_BY_N", "forward": "SIXSTEP_UNSCALED",
                 "batch": "16", "results": "NULL"}  # an argument in Fortran
    assert fortran == {"sides": "", "backward": "sixstep_by_n", "forward": "sixstep_unscaled", "batch": "16"}


def test_solvers_have_the_same_options_and_defaults():
    cpp, c, fortran = extended("poisson.hpp", "PoissonOptions", "sixstep_poisson_options", "SIXSTEP_POISSON_OPTIONS",
                               "sixstep_poisson_options")
    assert cpp == {"walls": "{}", "points": "{Points::cells}", "accuracy": "0", "mean": "0"}
    assert c == {"kept": "1", "sides_count": "0", "sides": "0", "walls_count": "0", "walls": "0",
                 "points_count": "0", "points": "0", "accuracy": "0", "mean": "0.0"}
    assert fortran == {"walls": "", "points": "", "accuracy": "0", "mean": "0"}


def test_convolutions_have_the_same_options_and_defaults():
    cpp, c, fortran = extended("convolution.hpp", "ConvolutionOptions", "sixstep_convolution_options",
                               "SIXSTEP_CONVOLUTION_OPTIONS", "sixstep_convolution_options")
    assert cpp == {"mode": "ConvolutionMode::full", "correlate": "false", "even": "false"}
    assert c == {"mode": "SIXSTEP_CONVOLVE_FULL", "correlate": "0", "even": "0"}
    assert fortran == {"mode": "sixstep_convolve_full", "correlate": ".false.", "even": ".false."}


def test_solvers_in_free_space_have_the_same_options_and_defaults():
    cpp, c, fortran = extended("open_poisson.hpp", "OpenPoissonOptions", "sixstep_open_poisson_options",
                               "SIXSTEP_OPEN_POISSON_OPTIONS", "sixstep_open_poisson_options")
    # and a Green's function
    assert cpp == {"spacing": "{1}", "walls": "{}", "points": "{Points::cells}", "shift": "{}"}
    assert c == {"spacing_count": "0", "spacing": "0", "greens_function": "SIXSTEP_TRUNCATED", "function": "NULL",
                 "context": "NULL", "walls_count": "0", "walls": "0", "points_count": "0", "points": "0",
                 "shift_count": "0", "shift": "0", "space": "SIXSTEP_DISTANCES", "numbers_layout": "NULL",
                 "numbers": "NULL", "numbers_size": "-1"}
    assert fortran == {"spacing": "", "greens_function": "sixstep_truncated", "walls": "", "points": "",
                       "shift": "", "space": "sixstep_distances"}  # function and numbers are arguments
