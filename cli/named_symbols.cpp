// SPDX-License-Identifier: BSD-3-Clause
// Symbols of operators by their names and formulas on the command line.
#include "named_symbols.hpp"

#ifdef SIXSTEP_HAVE_MUPARSER
#include <muParser.h>
#endif

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>

#include "base/words.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep::cli {

namespace {

#ifdef SIXSTEP_HAVE_MUPARSER
class Formula {
 public:
  Formula(std::string const& words, int axes) : words_(words) {
    guarded([&] {
      parser_.DefineConst("pi", std::numbers::pi);
      parser_.DefineVar("k", &modulus_);
      for (int axis = 0; axis < axes; ++axis)
        parser_.DefineVar(text('k', axis), &k_[static_cast<std::size_t>(axis)]);
      parser_.SetExpr(words);
      modulus_ = 1;
      parser_.Eval();
    });
  }

  double operator()(Wavevector const& k) {
    std::copy(k.begin(), k.end(), k_.begin());
    modulus_ = std::sqrt(symbols::square(k));
    double value = 0;
    guarded([&] { value = parser_.Eval(); });
    require(std::isfinite(value), "--filter '", shortened(words_), "': its value is ", value,
            " at k = ", modulus_, "; give it a finite one there, as in k > 0 ? 1/k : 0");
    return value;
  }

 private:
  template <class Action>
  void guarded(Action const& action) const {
    try {
      action();
    } catch (mu::ParserError const& error) {
      throw Error(text("--filter '", shortened(words_), "': ", shortened(error.GetMsg()), " (",
                       operator_names, ", or a formula of k, k0, k1 ..., as in exp(-(k/20)^2))"));
    }
  }

  std::string words_;
  mu::Parser parser_;
  std::array<double, max_axes> k_ = {};
  double modulus_ = 0;
};
#else
class Formula {
 public:
  Formula(std::string const& words, int) {
    throw Error(text("--filter '", shortened(words), "': ", operator_names,
                     " are known; for formulas the command has to be built with muParser (Debian: "
                     "libmuparser-dev)"));
  }
  double operator()(Wavevector const&) { return 0; }
};
#endif

Symbol formula_symbol(std::string const& words, Filtered const& array) {
  auto const formula = std::make_shared<Formula>(words, array.axes);
  auto const at = [formula, words, of_reals = array.is_real](Wavevector const& k) {
    double const factor = (*formula)(k);
    if (!of_reals) return factor;
    Wavevector opposite = k;
    for (double& each : opposite) each = -each;
    require(std::abs((*formula)(opposite)-factor) <= 1e-12 * std::abs(factor), "--filter '",
            shortened(words),
            "': its values at k and -k differ, so a real array would become complex; use a complex "
            "array, or a formula that is even");
    return factor;
  };
  auto const parser = std::make_shared<std::mutex>();  // one thread at a time may use it
  return Symbol::many(
      [at, parser](Index count, Wavevector const* k, std::complex<double>* numbers) {
        std::lock_guard const lock(*parser);
        std::transform(k, k + count, numbers, at);
      },
      Symbol::Numbers::real);
}

/// The words of an option, as in "--filter lowpass=3".
class OptionWords {
 public:
  OptionWords(char const* option, std::string const& words) : option_(option), words_(words) {}

  bool is(char const* name) const { return words_ == name; }
  /// The number after "NAME="; none if the words do not begin so.
  template <class Number>
  std::optional<Number> number(std::string const& name) const {
    if (!words_.starts_with(name + '=')) return std::nullopt;
    auto const read = read_number<Number>(std::string_view(words_).substr(name.size() + 1));
    require(read.has_value(), said(), ": a number is needed after ", name, "=");
    return read;
  }
  /// Reads a number that must not be negative.
  std::optional<double> length(std::string const& name) const {
    auto const read = number<double>(name);
    require(!read || !std::signbit(*read), said(), ": a number of at least 0 is needed");
    return read;
  }
  /// The axis after "derivative=", counted from the front.
  std::optional<int> axis(int axes) const {
    auto const read = number<int>("derivative");
    require(!read || (*read >= -axes && *read < axes), said(), ": axes are 0 to ", axes - 1);
    return read && *read < 0 ? *read + axes : read;
  }
  std::string said() const { return text(option_, ' ', shortened(words_)); }

 private:
  char const* option_;
  std::string words_;
};

/// None if the words name no number.
std::optional<Symbol> named_symbol(OptionWords const& words, int axes) {
  if (words.is("laplacian")) return symbols::laplacian();
  if (words.is("inverse_laplacian")) return symbols::inverse_laplacian();
  if (auto const axis = words.axis(axes)) return symbols::derivative(*axis);
  if (auto const alpha = words.number<double>("helmholtz")) return symbols::helmholtz(*alpha);
  if (auto const sigma = words.length("gaussian")) return symbols::gaussian(*sigma);
  if (auto const limit = words.length("lowpass")) return symbols::lowpass(*limit);
  if (auto const limit = words.length("highpass"))
    return [limit = *limit](Wavevector const& k) {
      return std::sqrt(symbols::square(k)) >= limit ? 1. : 0.;
    };
  return std::nullopt;
}

}  // namespace

Symbol operator_symbol(std::string const& words, int axes) {
  OptionWords const named("--operator", words);
  if (auto const symbol = named_symbol(named, axes)) return *symbol;
  if (named.is("gradient")) return symbols::gradient(axes);
  if (named.is("divergence")) return symbols::divergence(axes);
  if (named.is("project")) return symbols::project(axes);
  require(named.is("curl"), named.said(), ": ", operator_names, ", ", matrix_names, " are known");
  require(axes == 3, named.said(), ": 3 axes are needed, the array has ", axes);
  return symbols::curl();
}

CLI::Option* add_operator(CLI::App& command, std::string& words) {
  return command
      .add_option(
          "--operator", words,
          text("In place of a transform: a transform, a product and the transform back, by ",
               operator_names, ", or, for vectors with a field for each axis, ", matrix_names))
      ->option_text("NAME");
}

Symbol filter_symbol(std::string const& words, Filtered const& array) {
  OptionWords const named("--filter", words == "inverse-laplacian" ? "inverse_laplacian" : words);
  auto const axis = named.axis(array.axes);
  require(!axis || std::ranges::find(array.transformed, *axis) != array.transformed.end(),
          named.said(), ": an axis that is transformed is needed");
  if (auto const symbol = named_symbol(named, array.axes)) return *symbol;
  return formula_symbol(words, array);
}

Symbol product(std::vector<Symbol> const& symbols, bool reversed) {
  if (symbols.size() == 1 && !reversed) return symbols[0];
  bool const is_real = std::all_of(symbols.begin(), symbols.end(),
                                   [](Symbol const& symbol) { return symbol.is_real(); });
  return Symbol::many(
      [symbols, reversed](Index count, Wavevector const* k, std::complex<double>* numbers) {
        std::vector<Wavevector> waves(k, k + count);
        if (reversed)
          for (Wavevector& each : waves) std::reverse(each.begin(), each.end());
        std::vector<std::complex<double>> factors(waves.size());
        std::fill(numbers, numbers + count, 1);
        for (Symbol const& symbol : symbols) {
          symbol.at(count, waves.data(), factors.data());
          for (std::size_t i = 0; i < factors.size(); ++i) numbers[i] *= factors[i];
        }
      },
      is_real ? Symbol::Numbers::real : Symbol::Numbers::complex);
}

}  // namespace sixstep::cli
