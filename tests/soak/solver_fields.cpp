// SPDX-License-Identifier: BSD-3-Clause
// The words of operators, maps, convolutions and Poisson's equation.
#include <string>
#include <vector>

#include "fields.hpp"
#include "sixstep/error.hpp"
#include "tokens.hpp"
#include "words.hpp"

namespace soak {

using sixstep::require;
using sixstep::text;

namespace {

Names<ConvolutionMode> const mode_names{{"full", "same", "valid", "periodic"}};
Names<Walls> const walls_names{
    {"periodic", "dirichlet", "neumann", "dirichlet_neumann", "neumann_dirichlet", "open"}};
Names<Points> const points_names{{"cells", "nodes"}};
Names<GreensBy> const greens_names{{"function", "distances", "waves"}};

}  // namespace

std::vector<Field> solver_fields() {
  return {
      {"results",
       [](Job& job, std::string const& word) { job.solver.results = numbers<int>(word, '.'); },
       [](Job const& job) { return joined(job.solver.results, "."); }},
      {"back",
       [](Job& job, std::string const& word) { job.solver.back = numbers<Index>(word, '.'); },
       [](Job const& job) { return joined(job.solver.back, "."); }},
      {"first",
       [](Job& job, std::string const& word) { job.solver.first = numbers<Index>(word, '.'); },
       [](Job const& job) { return joined(job.solver.first, "."); }},
      {"batch", [](Job& job, std::string const& word) { job.solver.batch = number(word); },
       [](Job const& job) { return unless(job.solver.batch == 16, text(job.solver.batch)); }},
      {"scales",
       [](Job& job, std::string const& word) {
         require(word.size() == 2, "\"", word, "\": 2 letters are needed");
         job.solver.to_points = by_letter<Scale>(scale_letters, word[0], word);
         job.solver.from_points = by_letter<Scale>(scale_letters, word[1], word);
       },
       [](Job const& job) {
         std::string const word{letter_of(scale_letters, job.solver.to_points),
                                letter_of(scale_letters, job.solver.from_points)};
         return unless(word == "n1", word);
       }},
      {"results_in",
       [](Job& job, std::string const& word) { job.solver.results_in = read_sharing(word); },
       [](Job const& job) { return job.solver.results_in ? word_of(*job.solver.results_in) : ""; }},
      {"mode", [](Job& job, std::string const& word) { job.solver.mode = mode_names.named(word); },
       [](Job const& job) {
         return unless(job.solver.mode == ConvolutionMode::full, mode_names.of(job.solver.mode));
       }},
      {"kernel", [](Job& job, std::string const& word) { job.solver.kernel = read_shape(word); },
       [](Job const& job) { return joined(job.solver.kernel, "x"); }},
      {"kernel_in",
       [](Job& job, std::string const& word) { job.solver.kernel_in = read_sharing(word); },
       [](Job const& job) {
         bool const has_array = job.make == Make::convolution || job.make == Make::open_poisson;
         return unless(!has_array, word_of(job.solver.kernel_in));
       }},
      {"walls",
       [](Job& job, std::string const& word) { job.solver.walls = read_names(walls_names, word); },
       [](Job const& job) { return word_of(walls_names, job.solver.walls); }},
      {"points",
       [](Job& job, std::string const& word) {
         job.solver.points = read_names(points_names, word);
       },
       [](Job const& job) { return word_of(points_names, job.solver.points); }},
      {"shift",
       [](Job& job, std::string const& word) { job.solver.shift = numbers<double>(word, '/'); },
       [](Job const& job) { return joined(job.solver.shift, "/"); }},
      {"greens",
       [](Job& job, std::string const& word) { job.solver.greens = greens_names.named(word); },
       [](Job const& job) {
         return unless(job.solver.greens == GreensBy::function, greens_names.of(job.solver.greens));
       }},
      {"more_waves",
       [](Job& job, std::string const& word) { job.solver.more_waves = numbers<Index>(word, '.'); },
       [](Job const& job) { return joined(job.solver.more_waves, "."); }}};
}

}  // namespace soak
