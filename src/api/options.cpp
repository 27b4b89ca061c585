// SPDX-License-Identifier: BSD-3-Clause
// Options: the names of their values.
#include "sixstep/options.hpp"

namespace sixstep {

std::string to_string(Exchange exchange) {
  return exchange == Exchange::shared       ? "shared"
         : exchange == Exchange::collective ? "collective"
         : exchange == Exchange::pairwise   ? "pairwise"
         : exchange == Exchange::persistent ? "persistent"
                                            : "one_sided";
}

std::string to_string(Driver driver) {
  return driver == Driver::between     ? "between"
         : driver == Driver::master    ? "master"
         : driver == Driver::pipelines ? "pipelines"
         : driver == Driver::thread    ? "thread"
                                       : "automatic";
}

std::string to_string(Local local) {
  return local == Local::own ? "own" : local == Local::fftw ? "fftw" : "mkl";
}

std::string to_string(Device device) {
  return device == Device::none ? "none" : device == Device::cuda ? "cuda" : "emulated";
}

std::string to_string(Output output) {
  return output == Output::cheapest   ? "cheapest"
         : output == Output::as_input ? "as_input"
                                      : "natural_axes";
}

std::string to_string(TuningLevel level) {
  return level == TuningLevel::model   ? "model"
         : level == TuningLevel::quick ? "quick"
                                       : "exhaustive";
}

}  // namespace sixstep
