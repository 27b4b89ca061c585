// SPDX-License-Identifier: BSD-3-Clause
// Calls of sixstep from programs that XLA compiles, such as those of JAX.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace sixstep::python {

/// Makes the handler that XLA calls on the host, and returns it as XLA registers it. It calls
/// run(call, in, out): the attribute `call` of the instruction, which is a string, and the bytes of
/// the first operand and of the first result. An exception becomes an error of XLA. There is one
/// handler a process; the last `run` is called.
nanobind::capsule xla_handler(nanobind::object run);
/// Lets XLA's calls on the host with these words run a Transform from now on, without Python, which
/// would take as long as a small transform.
void xla_keep(std::string const& call, nanobind::object transform);
/// Makes the handler that XLA calls for arrays on GPUs of NVIDIA's. It calls
/// run(call, in, out, stream), with addresses of the operand, of the result and of the stream into
/// which the work is to be put. Everything else is as in xla_handler().
nanobind::capsule xla_gpu_handler(nanobind::object run);

}  // namespace sixstep::python
