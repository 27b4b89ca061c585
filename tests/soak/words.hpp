// SPDX-License-Identifier: BSD-3-Clause
// The words of a job's line.
#pragma once

#include <string>

#include "problem.hpp"

namespace soak {

/// Reads one word into the job. Errors: sixstep::Error, which names the word.
void read_word(Job& job, std::string const& word);

/// A layout's word.
std::string word_of(Sharing const& sharing);
/// Errors: sixstep::Error, which names the word.
Sharing read_sharing(std::string const& word);

/// All words of a job, separated by spaces.
std::string words_of(Job const& job);

}  // namespace soak
