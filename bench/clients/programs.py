# SPDX-License-Identifier: BSD-3-Clause
"""The clients, one entry each. Inputs are small: a run takes seconds."""

import gzip
import os
import shutil
import subprocess
from pathlib import Path

from client import Client, numbers_of_lines

SILICON = Path("/usr/share/doc/quantum-espresso/examples/EPW/sic/pp/Si.pz-vbc.UPF.gz")


def unpack_silicon(folder: Path) -> None:
    """The pseudopotential of silicon, from the package of examples."""
    with gzip.open(SILICON) as packed, open(folder / "Si.pz-vbc.UPF", "wb") as file:
        shutil.copyfileobj(packed, file)


def make_water(folder: Path) -> None:
    """A cube of water, and GROMACS's own form of the input."""
    gmx = ["gmx", "-quiet", "-nobackup"]
    solvate = ["solvate", "-cs", "spc216.gro", "-box", "4", "4", "4", "-o", "water.gro", "-p", "water.top"]
    grompp = ["grompp", "-f", "water.mdp", "-c", "water.gro", "-p", "water.top", "-o", "water.tpr"]
    for words in (solvate, grompp):
        subprocess.run([*gmx, *words], cwd=folder, check=True, capture_output=True)


def build_dedalus(folder: Path) -> None:
    """Dedalus for Debian's FFTW and Open MPI, in an environment of its own, as it is in no package."""
    python = folder / "venv/bin/python"
    subprocess.run(["/usr/bin/python3", "-m", "venv", folder / "venv"], check=True, capture_output=True)
    paths = {"FFTW_PATH": "/usr", "MPI_PATH": "/usr/lib/x86_64-linux-gnu/openmpi", "CC": "mpicc.openmpi"}
    subprocess.run([python, "-m", "pip", "install", "--no-binary", "dedalus", "dedalus"], check=True,
                   capture_output=True, env={**os.environ, **paths})


CLIENTS = [
    Client(
        name="LAMMPS",
        what="forces of 1,728 ions by a mesh of 120^3 points (PPPM)",
        command=("lmp", "-in", "salt.lammps", "-log", "none"),
        packages=("lammps",),
        inputs=("salt.lammps",),
        ranks=2,
        numbers=numbers_of_lines(r"^ +\d+ +-\d+\.\d+ .*$"),
        tolerance=1e-9,
    ),
    Client(
        name="MPB",
        what="8 bands of a photonic crystal, 32^3 points",
        command=("mpb-mpi", "crystal.ctl"),
        packages=("mpb-mpi",),
        inputs=("crystal.ctl",),
        ranks=2,
        numbers=numbers_of_lines(r"^freqs:, \d.*$"),
        tolerance=1e-5,
    ),
    Client(
        name="Quantum ESPRESSO",
        what="energy and forces of 8 silicon atoms (pw.x)",
        command=("pw.x", "-in", "silicon.in"),
        packages=("quantum-espresso", "quantum-espresso-data"),
        inputs=("silicon.in",),
        ranks=2,
        prepare=unpack_silicon,
        numbers=numbers_of_lines(r"^!? +(?:total energy|atom .*force) +=(.*)$"),
        tolerance=1e-6,
    ),
    Client(
        name="PETSc",
        what="its Fourier matrix of 64 x 60 x 72 reals, 100 rounds",
        command=("/usr/bin/python3", "petsc_field.py"),
        packages=("libpetsc-real3.18",),
        inputs=("petsc_field.py",),
        ranks=2,
        numbers=numbers_of_lines(r"^(?:spectrum|back) (.*)$"),
        tolerance=1e-9,
    ),
    Client(
        name="GROMACS",
        what="6,495 atoms of water, PME with 72^3 points",
        command=("gmx", "-quiet", "-nobackup", "mdrun", "-s", "water.tpr", "-g", "run.log", "-reprod", "-notunepme",
                 "-ntmpi", "1", "-ntomp", "1", "-pin", "off"),
        packages=("gromacs",),
        inputs=("water.mdp", "water.top"),
        prepare=make_water,
        results="run.log",
        numbers=numbers_of_lines(r"Energies \(kJ/mol\)\n.*\n(.*)$"),
        tolerance=1e-4,
    ),
    Client(
        name="Octave",
        what="fft, fft2, fftn and inverses, 10 rounds",
        command=("octave-cli", "--no-init-file", "-q", "spectra.m"),
        packages=("octave",),
        inputs=("spectra.m",),
        numbers=numbers_of_lines(r"^.*$"),
        tolerance=1e-6,
    ),
    Client(
        name="Dedalus",
        what="a shear flow of 256 x 512 modes, 40 steps",
        command=("venv/bin/python", "shear_flow.py"),
        packages=("libfftw3-mpi-dev", "libopenmpi-dev", "python3-dev", "python3-venv"),
        inputs=("shear_flow.py",),
        ranks=2,
        prepare=build_dedalus,
        numbers=numbers_of_lines(r"^(?:energy|dye) (.*)$"),
        tolerance=1e-9,
    ),
]
