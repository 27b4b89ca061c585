# SPDX-License-Identifier: BSD-3-Clause
"""A recipe for Spack 1.0 and later, in a checkout:

    spack repo add packaging/spack/spack_repo/sixstep
    spack dev-build sixstep@main
"""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Sixstep(CMakePackage):
    """Discrete Fourier transforms of arrays spread over MPI ranks and their cores."""

    license("BSD-3-Clause")

    version("main")
    version("0.2.0")

    variant("shared", default=True, description="Build a shared library")
    variant("cli", default=True, description="Build the command sixstep")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("hdf5", default=False, description="Read and write arrays in HDF5 files")
    variant("cuda", default=False, description="Plans on NVIDIA's GPUs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("highway@1.0.3:")
    depends_on("highway@1.0.4:", when="target=aarch64:")
    depends_on("nlohmann-json", type="build")
    depends_on("cli11", type="build", when="+cli")
    depends_on("hwloc", when="+cli")
    depends_on("hdf5+mpi", when="+hdf5")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        return [
            self.define("SIXSTEP_FETCH", False),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("SIXSTEP_BUILD_CLI", "cli"),
            self.define_from_variant("SIXSTEP_BUILD_FORTRAN", "fortran"),
            self.define_from_variant("SIXSTEP_HDF5", "hdf5"),
            self.define_from_variant("SIXSTEP_CUDA", "cuda"),
        ]
