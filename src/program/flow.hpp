// SPDX-License-Identifier: BSD-3-Clause
// Flow: which windows of a program's steps must have ended before others may write where they read.
//
// A window obviously needs its input: window w of a sweep needs all messages to window w, or window
// w of the sweep before; a message needs its sender's window. This file finds the other
// dependencies, which arise because buffers are reused.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace sixstep::program {

/// Fills in Step::behind and after_all_of, Sweep::after and Message::after of received messages.
void find_room(std::vector<Step>& steps);

/// Whether no window waits for later windows of the step that reads its place, once find_room() has
/// found what it waits for.
bool keeps_pace(std::vector<Step> const& steps);

/// How much of `before` (in quarters) must finish before the first window of `next` may write the
/// buffer that `before` reads.
int quarters_waited(Sweep const& before, Move const& next);
int quarters_waited(Move const& before, Sweep const& next);

}  // namespace sixstep::program
