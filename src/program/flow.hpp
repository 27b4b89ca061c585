// SPDX-License-Identifier: BSD-3-Clause
// Flow: which windows of a program's steps must have ended before others may write where they read.
//
// That a window needs what it reads goes without saying: window w of a sweep needs all messages to
// window w, or window w of the sweep before; a message needs its sender's window. What is found
// here is the rest: buffers are used again.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace sixstep::program {

/// Fills in Step::behind and after_all_of, Sweep::after and Message::after of received messages.
void find_room(std::vector<Step>& steps);

/// How many quarters of the step before it a step that leads into the buffer from which that one
/// leads would wait for with its first window.
int quarters_waited(Sweep const& before, Move const& next);
int quarters_waited(Move const& before, Sweep const& next);

}  // namespace sixstep::program
