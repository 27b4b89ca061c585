# SPDX-License-Identifier: BSD-3-Clause
"""The documents' commands that build and install sixstep run as they stand, from a copy of the tree."""

import os
import pathlib
import re
import shutil
import subprocess

import documents
import pytest
from documents import COPY, ROOT

# What make calls in the place of ccache. ccache finds what the preset `openmpi` has compiled if the command line is the
# same: Ninja compiles in the top folder of the build, and CI makes errors of warnings.
LAUNCHER = """#!/usr/bin/env bash
folder=$(realpath --relative-to="$BUILD" .)
if [[ $folder == *CMakeFiles* ]]; then  # a check of the compiler
  HOME=$CACHE_HOME exec ccache "$@"
fi
arguments=()
for argument in "$@"; do
  [[ $folder == . || $argument != CMakeFiles/* ]] || argument=$folder/$argument
  arguments+=("$argument")
  [[ $argument != -Wshadow ]] || arguments+=(-Werror)
done
cd "$BUILD"
HOME=$CACHE_HOME exec ccache "${arguments[@]}"
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of all files that git knows or would add. Its folder `build` is as deep as the presets' are, since ccache
    compares paths relative to that folder."""
    tree = tmp_path / "tree"
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            text=True, capture_output=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name, follow_symlinks=False)
    (tree / "builds" / "copy").mkdir(parents=True)
    (tree / "build").symlink_to("builds/copy")
    yield tree
    shutil.rmtree(tmp_path)


def environment(folder, copy):
    """Variables for a home folder of its own, and for the compiler cache where there is one."""
    (folder / "home").mkdir()
    variables = os.environ | {"HOME": str(folder / "home")}
    if shutil.which("ccache"):
        launcher = folder / "launcher"
        launcher.write_text(LAUNCHER)
        launcher.chmod(0o755)
        variables |= {"CMAKE_CXX_COMPILER_LAUNCHER": str(launcher), "CCACHE_BASEDIR": str(copy),
                      "BUILD": str(copy / "build"), "CACHE_HOME": str(pathlib.Path.home())}
    return variables


def test_the_commands_of_all_pages_are_the_same():
    pages = [re.split(r"\s*&&\s*|\n", block.code.strip()) for block, _ in documents.all_blocks(COPY)]
    assert len(pages) > 1
    assert all(page == pages[0] for page in pages)


def test_the_library_is_built_and_installed_as_the_pages_have_it(tmp_path, copy):
    (block, _), *_ = documents.all_blocks(COPY)
    variables = environment(tmp_path, copy)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", block.code], cwd=copy, env=variables, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800,
                          check=False)
    assert done.returncode == 0, done.stdout
    assert re.search("GPUs: (CUDA|left out, )", done.stdout), done.stdout
    command = tmp_path / "home" / "sixstep" / "bin" / "sixstep"
    said = subprocess.run([command, "plan", "8", "8", "--ranks", "2"], text=True, capture_output=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.parametrize(("wanted", "works"), [("AUTO", True), ("ON", False)])
def test_a_compiler_of_cuda_that_fails_is_left_out_or_told(tmp_path, wanted, works):
    (tmp_path / "nvcc").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "nvcc").chmod(0o755)
    variables = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    variables.pop("CUDACXX", None)
    configure = ["cmake", "-S", ROOT, "-B", tmp_path / "build", f"-DSIXSTEP_CUDA={wanted}"]
    done = subprocess.run(configure, env=variables, text=True, capture_output=True, check=False)
    assert (done.returncode == 0) == works, done.stdout + done.stderr
    assert "no nvcc that works was found" in " ".join((done.stdout + done.stderr).split())
