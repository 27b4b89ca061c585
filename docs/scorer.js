// SPDX-License-Identifier: BSD-3-Clause
// The order of the search's results: guides first, then the reference, and the pages for developers last.
// The weights are Sphinx's own but for score().
var forDevelopers = /^(decisions\/|internals$|bench$)/;

var Scorer = {
  score: ([page, title, anchor, description, weight]) => (forDevelopers.test(page) ? weight - 100 : weight),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
