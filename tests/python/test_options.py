# SPDX-License-Identifier: BSD-3-Clause
"""Options are written in sixstep/options.hpp; the C header and the Fortran module have the same names, numbers and
defaults."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
HEADERS = ROOT / "include" / "sixstep"
CPP = "".join((HEADERS / f"{name}.hpp").read_text() for name in ("kind", "local", "options"))
C = (ROOT / "include" / "sixstep.h").read_text()
FORTRAN = re.sub(r" *& *\n *", " ", (ROOT / "fortran" / "sixstep.f90").read_text())


def words(listed):
    return [word.strip() for word in listed.split(",")]


ENUMERATIONS = {name: words(listed) for name, listed in re.findall(r"enum class (\w+) \{([^}]*)\}", CPP)}
STRUCT = re.search(r"struct Options \{(.*?)\n  bool operator==", CPP, re.S)[1]
MEMBERS = {name: (kind, default) for kind, name, default in re.findall(r"(?m)^  ([\w:<>]+) (\w+) = (.*?);", STRUCT)}
LISTS = {"axes", "kinds", "modes"}
OPERATOR = (HEADERS / "operator.hpp").read_text()


def number(default):
    """A default as C and Fortran write it, as a number; None for an empty list or text."""
    for name, listed in ENUMERATIONS.items():
        if default.startswith(f"{name}::"):
            return listed.index(default.split("::")[1])
    return {"true": 1, "false": 0, "{}": None}[default] if default[0] in "tf{" else float(default)


def test_names_are_those_of_the_enumerators():
    tables = dict(re.findall(r"names_of\((\w+)\) \{\s*return std::array\{([^}]*)\}", CPP))
    assert {name: [word.strip('"') for word in words(table)] for name, table in tables.items()} == ENUMERATIONS
    assert len(ENUMERATIONS) == 7


def test_c_has_the_same_values():
    listed = [words(values) for values in re.findall(r"enum \{([^}=]*)\}", C)]
    for name, values in ENUMERATIONS.items():
        assert [f"SIXSTEP_{value.upper()}" for value in values] in listed, name


def test_fortran_has_the_same_values():
    parameters = {name: int(value) for name, value in re.findall(r"\bsixstep_(\w+) = (\d+)\b", FORTRAN)}
    for name, values in ENUMERATIONS.items():
        assert [parameters[value] for value in values] == list(range(len(values))), name


def test_all_options_are_visited_in_order():
    assert re.findall(r'visit\("(\w+)", options\.(\w+)\);', CPP) == [(name, name) for name in MEMBERS]
    assert len(MEMBERS) == 25


def test_c_has_the_same_options_and_defaults():
    struct = re.search(r"typedef struct \{([^}]*)\} sixstep_options;", C)[1]
    members = [re.sub(r"\[.*", "", word.split()[-1].strip("*")) for line in re.findall(r"(?m)^  (\w[^;]*);", struct)
               for word in words(line)]
    defaults = re.search(r"#define SIXSTEP_OPTIONS.*?\{(.*?)\n  \}", C, re.S)[1]
    values = words(re.sub(r"/\*.*?\*/|\\", "", defaults, flags=re.S))
    given = dict(zip(members, values))
    assert len(members) == len(values)
    assert set(members) - {"size", "reserved"} - {f"{name}_count" for name in LISTS} == set(MEMBERS)
    names = {f"SIXSTEP_{value.upper()}": i for listed in ENUMERATIONS.values() for i, value in enumerate(listed)}
    for name in set(MEMBERS) - LISTS - {"trace"}:
        value = given[name]
        assert float(names[value] if value in names else value) == number(MEMBERS[name][1]), name


def test_fortran_has_the_same_options_and_defaults():
    struct = re.search(r"type, public :: sixstep_options(.*?)end type", FORTRAN, re.S)[1]
    found = {}
    for line in re.findall(r"::(.*)", re.sub(r" *!.*", "", struct)):
        for word in re.sub(r"\(:\)", "", line).split(","):
            name, _, default = word.strip().partition(" = ")
            found[name] = default
    assert set(found) == set(MEMBERS)
    names = {f"sixstep_{value}": i for listed in ENUMERATIONS.values() for i, value in enumerate(listed)}
    names |= {".true.": 1, ".false.": 0}
    assert names[found.pop("output")] == ENUMERATIONS["Output"].index("natural_axes")
    assert found.pop("twiddle") == "0"  # axes count from 1: none
    for name, default in found.items():
        value = number(MEMBERS[name][1])
        assert (float(names.get(default, default or "nan")) == value) if value is not None else default == "", name


def test_operators_have_the_same_options_and_defaults():
    struct = re.search(r"struct OperatorOptions : Options \{(.*?)\n\};", OPERATOR, re.S)[1]
    members = dict(re.findall(r"(?m)^  [\w:<>]+ (\w+) = (.*?);", struct))
    assert members == {"sides": "{}", "kept": "true"}
    of_c = re.search(r"typedef struct \{([^}]*)\} sixstep_operator_options;", C)[1]
    found = re.findall(r"(?m)^  \w+ (\w+)", of_c)
    assert found == ["plan", "size", "kept", "sides_count", "sides"]
    defaults = re.search(r"#define SIXSTEP_OPERATOR_OPTIONS[^{]*\{(.*?)\}", C, re.S)[1]
    assert words(re.sub(r"\\\s*", "", defaults))[2:4] == ["1", "0"]
    of_fortran = re.search(r"public :: sixstep_operator_options(.*?)end type", FORTRAN, re.S)[1]
    assert re.findall(r":: (\w+)(?:\(:\))?(?: = (\S+))?", of_fortran) == [("kept", ".true."), ("sides", "")]
