// SPDX-License-Identifier: BSD-3-Clause
// Machine files: the reader asks for every key of every object once, and refuses the keys that it
// did not ask for.
#include "model/machine_file.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/match.hpp"
#include "base/new_file.hpp"
#include "base/whole_file.hpp"
#include "base/words.hpp"

namespace sixstep::model {

namespace {

using Json = nlohmann::ordered_json;

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr int most_ranks = 1 << 20;
constexpr Index most_nodes = std::numeric_limits<int>::max();
constexpr std::size_t most_file_bytes = std::size_t{16} << 20;
constexpr int most_depth = 16;  // of nested values, because code that works on them recurses

/// The bounds of a number.
struct Bounds {
  double least = std::numeric_limits<double>::min();  // above 0
  double most = no_limit;
};

std::string to_words(Bounds const& bounds) {
  bool const is_above_zero = bounds.least == Bounds{}.least;
  return text(is_above_zero ? "above 0" : text("of at least ", bounds.least),
              bounds.most < no_limit ? text(", at most ", bounds.most) : "");
}

/// The whole number, at least 1, at the beginning of a word; `word` becomes the rest.
std::optional<Index> take_number(std::string_view& word) {
  Index number = 0;
  auto const [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (failure != std::errc() || number < 1) return std::nullopt;
  word.remove_prefix(static_cast<std::size_t>(stop - word.data()));
  return number;
}

/// "4 x 2m": an m marks a mesh.
std::optional<Partition> partition_of(std::string_view word) {
  Partition found;
  for (;;) {
    auto const length = take_number(word);
    if (!length || *length > most_ranks) return std::nullopt;
    bool const mesh = word.starts_with('m');
    if (mesh) word.remove_prefix(1);
    found.axes.push_back({static_cast<int>(*length), mesh});
    if (found.nodes() > most_nodes) return std::nullopt;
    if (word.empty()) return found;
    if (!word.starts_with(" x ")) return std::nullopt;
    word.remove_prefix(3);
  }
}

std::string to_words(Partition const& partition) {
  std::string words;
  for (Partition::Axis const& axis : partition.axes)
    words += text(words.empty() ? "" : " x ", axis.length, axis.mesh ? "m" : "");
  return words;
}

/// An object of the file.
class Fields {
 public:
  /// `path` is the place of the object in the file: "network.shape.".
  Fields(Json const& object, std::string file, std::string path)
      : object_(object), file_(std::move(file)), path_(std::move(path)) {
    if (!object_.is_object())
      refuse(path_.empty() ? "the file" : path_.substr(0, path_.size() - 1), "an object", object_);
  }

  double number(std::string const& key, Bounds const& bounds = {}) {
    return number(path_ + key, value(key), bounds);
  }

  int count(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_number_integer() || found < 1 || found > most_ranks)
      refuse(path_ + key, text("a whole number from 1 to ", most_ranks), found);
    return found.get<int>();
  }

  std::string word(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_string() || found.get<std::string>().empty())
      refuse(path_ + key, "a text", found);
    return found.get<std::string>();
  }

  std::vector<std::string> words(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_array()) refuse(path_ + key, "a list of texts", found);
    for (Json const& line : found)
      if (!line.is_string()) refuse(path_ + key, "a list of texts", line);
    return found.get<std::vector<std::string>>();
  }

  /// A number, or one for each of some sizes.
  Curve curve(std::string const& key, Bounds const& bounds = {}) {
    Json const& found = value(key);
    if (!found.is_object()) return number(path_ + key, found, bounds);
    std::string const needed =
        "a number, or an object of numbers by bytes, as in {\"4096\": 2.5e9},";
    if (found.empty()) refuse(path_ + key, needed, found);
    return by_size(key, needed, bounds);
  }

  Curve rates(std::string const& key) {
    return by_size(key, "an object of GFLOP/s by length, as in {\"64\": 2.5},", {});
  }

  /// One of some words.
  std::string choice(std::string const& key, std::vector<std::string> const& possible) {
    std::string const found = word(key);
    std::string needed;
    for (std::string const& each : possible) {
      if (found == each) return found;
      needed += (needed.empty() ? "" : &each == &possible.back() ? " or " : ", ") + each;
    }
    refuse(path_ + key, needed, found);
  }

  std::vector<Index> extents(std::string const& key) {
    Json const& found = value(key);
    std::string const needed = "a list of extents, as in [256, 256],";
    if (!found.is_array() || found.empty()) refuse(path_ + key, needed, found);
    for (Json const& extent : found)
      if (!extent.is_number_integer() || extent < 1) refuse(path_ + key, needed, extent);
    return found.get<std::vector<Index>>();
  }

  Curve by_ranks(std::string const& key) {
    std::string const needed = "an object of numbers by ranks, as in {\"64\": 0.25},";
    Curve found = by_size(key, needed, {});
    if (found.empty()) refuse(path_ + key, needed, value(key));
    return found;
  }

  /// A list of objects.
  std::vector<Fields> list(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_array()) refuse(path_ + key, "a list", found);
    std::vector<Fields> all;
    for (std::size_t i = 0; i < found.size(); ++i)
      all.emplace_back(found[i], file_, text(path_, key, '[', i, "]."));
    return all;
  }

  std::vector<Partition> partitions(std::string const& key) {
    std::vector<Partition> found;
    for (std::string const& word : words(key)) {
      auto const partition = partition_of(word);
      if (!partition)
        refuse(path_ + key,
               text("a list of partitions of at most ", most_nodes,
                    " nodes, as in \"4 x 4 x 2m\" (m marks a mesh),"),
               word);
      if (!found.empty() && partition->nodes() <= found.back().nodes())
        refuse(path_ + key,
               text("a partition of more nodes than the ", found.back().nodes(), " before it"),
               word);
      found.push_back(*partition);
    }
    if (found.empty()) refuse(path_ + key, "a partition", "none");
    return found;
  }

  Fields fields(std::string const& key) { return {value(key), file_, path_ + key + '.'}; }
  /// A key that may be missing.
  bool has(std::string const& key) {
    asked_.insert(key);
    return object_.contains(key);
  }

  [[noreturn]] void refuse(std::string const& where, std::string const& needed,
                           Json const& given) const {
    std::string const words = given.dump(-1, ' ', false, Json::error_handler_t::replace);
    throw Error(text(file_, ": ", shortened(where), ": ", needed, " is needed, ", shortened(words),
                     " was given"));
  }

  /// Must be called after all keys have been asked for; refuses the others.
  void end() const {
    std::string known;
    for (std::string const& key : asked_) known += (known.empty() ? "" : ", ") + key;
    for (auto const& [key, ignored] : object_.items())
      require(asked_.count(key) > 0, file_, ": ", path_, shortened(key), ": there is no such key; ",
              known, " are possible");
  }

 private:
  double number(std::string const& where, Json const& found, Bounds const& bounds) const {
    if (!found.is_number() || !(found >= bounds.least && found <= bounds.most))
      refuse(where, "a number " + to_words(bounds), found);
    return found.get<double>();
  }

  Curve by_size(std::string const& key, std::string const& needed, Bounds const& bounds) {
    Json const& found = value(key);
    if (!found.is_object()) refuse(path_ + key, needed, found);
    Curve::Points points;
    for (auto const& [size, figure] : found.items()) {
      auto const read = read_number<Index>(size);
      // 064 would be a second value of 64.
      bool const is_size = read && *read >= 1 && std::to_string(*read) == size;
      if (!is_size) refuse(path_ + key, needed, size);
      points[*read] = number(path_ + key + '.' + size, figure, bounds);
    }
    return points;
  }

  Json const& value(std::string const& key) {
    require(has(key), file_, ": ", path_, key, ": a value is needed, there is none");
    return object_[key];
  }

  Json const& object_;
  std::string file_;
  std::string path_;
  std::set<std::string> asked_;
};

constexpr Bounds from_zero{0}, a_share{std::numeric_limits<double>::min(), 1};

std::variant<Flat, FatTree, Torus> shape_of(Fields fields) {
  std::variant<Flat, FatTree, Torus> shape;
  std::string const kind = fields.word("kind");
  if (kind == "fat_tree")
    shape = FatTree{fields.count("leaf_nodes"), fields.number("taper", a_share)};
  else if (kind == "torus")
    shape = Torus{fields.number("link_bytes_per_s"), fields.number("efficiency", a_share),
                  fields.partitions("partitions")};
  else if (kind != "flat")
    fields.refuse("network.shape.kind", "flat, fat_tree or torus", kind);
  fields.end();
  return shape;
}

Json to_json(std::variant<Flat, FatTree, Torus> const& shape) {
  return std::visit(match{[](Flat const&) {
                            return Json{{"kind", "flat"}};
                          },
                          [](FatTree const& tree) {
                            return Json{{"kind", "fat_tree"},
                                        {"leaf_nodes", tree.leaf_nodes},
                                        {"taper", tree.taper}};
                          },
                          [](Torus const& torus) {
                            Json words = Json::array();
                            for (Partition const& partition : torus.partitions)
                              words.push_back(to_words(partition));
                            return Json{{"kind", "torus"},
                                        {"link_bytes_per_s", torus.link_bytes_per_s},
                                        {"efficiency", torus.efficiency},
                                        {"partitions", words}};
                          }},
                    shape);
}

/// The thread that computes is busy with a message for a part of its latency.
double overhead_of(Fields& fields, double latency_s) {
  return fields.has("overhead_s") ? fields.number("overhead_s", {0, latency_s}) : 0;
}

Network network_of(Fields fields) {
  Network network{fields.number("latency_s", from_zero), fields.curve("node_bytes_per_s"),
                  fields.curve("rank_bytes_per_s"), shape_of(fields.fields("shape"))};
  network.overhead_s = overhead_of(fields, network.latency_s);
  fields.end();
  return network;
}

Inside inside_of(Fields fields) {
  Inside inside{fields.number("latency_s", from_zero), fields.curve("rank_bytes_per_s")};
  if (fields.has("meeting_s")) inside.meeting_s = fields.number("meeting_s", from_zero);
  inside.overhead_s = overhead_of(fields, inside.latency_s);
  fields.end();
  return inside;
}

Copies copies_of(Fields& fields) {
  return {fields.curve("copied_bytes_per_s"), fields.curve("strip_share", a_share)};
}

OnDevice device_of(Fields fields) {
  OnDevice device{fields.word("name")};
  if (fields.has("staged_bytes_per_s"))
    device.staged_bytes_per_s = fields.number("staged_bytes_per_s");
  fields.end();
  return device;
}

Memory memory_of(Fields fields) {
  Memory memory{copies_of(fields), fields.number("cache_bytes", from_zero)};
  if (fields.has("alone")) {
    Fields alone = fields.fields("alone");
    memory.alone = copies_of(alone);
    alone.end();
  }
  fields.end();
  return memory;
}

/// The suffixes after "double" or "single" for each of the further rates.
constexpr std::pair<char const*, Curve Rates::*> further_rates[] = {{"_columns", &Rates::columns},
                                                                    {"_strips", &Rates::strips},
                                                                    {"_twiddled", &Rates::twiddled},
                                                                    {"_reals", &Rates::reals}};

Rates rates_of(Fields& fields, std::string const& precision) {
  Rates rates;
  rates.rows = fields.rates(precision);
  for (auto const& [name, curve] : further_rates)
    if (fields.has(precision + name)) rates.*curve = fields.rates(precision + name);
  return rates;
}

Json to_json(Curve const& curve) {
  if (curve.is_same()) return curve.points().begin()->second;
  Json found = Json::object();
  for (auto const& [size, figure] : curve.points()) found[std::to_string(size)] = figure;
  return found;
}

void add_rates(Json& file, Rates const& rates, std::string const& precision) {
  file[precision] = to_json(rates.rows);
  for (auto const& [name, curve] : further_rates)
    if (!(rates.*curve).empty()) file[precision + name] = to_json(rates.*curve);
}

Published published_of(Fields& fields) {
  Published published{fields.word("source"),
                      fields.extents("shape"),
                      fields.word("kind"),
                      fields.choice("precision", {"double", "single"}),
                      fields.choice("output", {"natural", "transposed"}),
                      fields.choice("layout", {"slab", "pencil", "brick"}),
                      fields.count("windows")};
  if (fields.has("gflops"))
    published.gflops = fields.by_ranks("gflops");
  else
    published.seconds = fields.by_ranks("seconds");
  if (fields.has("communication_s")) published.communication_s = fields.by_ranks("communication_s");
  fields.end();
  return published;
}

Json to_json(Published const& published) {
  Json found = {{"source", published.source},  {"shape", published.shape},
                {"kind", published.kind},      {"precision", published.precision},
                {"output", published.output},  {"layout", published.layout},
                {"windows", published.windows}};
  for (auto const& [name, curve] : {std::pair("seconds", &published.seconds),
                                    {"communication_s", &published.communication_s},
                                    {"gflops", &published.gflops}})
    if (!curve->empty()) found[name] = to_json(*curve);
  return found;
}

Json to_json(Copies const& copies) {
  return {{"copied_bytes_per_s", to_json(copies.copied_bytes_per_s)},
          {"strip_share", to_json(copies.strip_share)}};
}

/// The latency of a network or of the inside of a node.
template <class Messages>
Json latency_to_json(Messages const& messages) {
  Json words{{"latency_s", messages.latency_s}};
  if (messages.overhead_s > 0) words["overhead_s"] = messages.overhead_s;
  return words;
}

/// Refuses a second value of a key, because the parser would keep that one.
class Keys {
 public:
  explicit Keys(std::string const& file) : file_(file) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    require(depth <= most_depth, file_, ": JSON with at most ", most_depth,
            " nested levels is needed, it has more");
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key)
      require(keys_.back().insert(parsed.get<std::string>()).second, file_, ": ",
              shortened(parsed.get<std::string>()), ": one value is needed, two were given");
    return true;
  }

 private:
  std::string const& file_;
  std::vector<std::set<std::string>> keys_;
};

Json parsed(std::string const& words, std::string const& file) {
  try {
    return Json::parse(words, Keys(file));
  } catch (Json::exception const& error) {
    throw Error(text(file, ": JSON is needed: ", shortened(error.what(), 400)));
  }
}

}  // namespace

std::string to_json(Machine const& machine) {
  Json file{{"name", machine.name},
            {"source", machine.source},
            {"notes", machine.notes},
            {"node", {{"ranks", machine.node_ranks}, {"cores", machine.node_cores}}}};
  if (auto const& network = machine.network) {
    Json& words = file["network"] = latency_to_json(*network);
    words["node_bytes_per_s"] = to_json(network->node_bytes_per_s);
    words["rank_bytes_per_s"] = to_json(network->rank_bytes_per_s);
    words["shape"] = to_json(network->shape);
  }
  Json& inside = file["inside"] = latency_to_json(machine.inside);
  inside["rank_bytes_per_s"] = to_json(machine.inside.rank_bytes_per_s);
  if (machine.inside.meeting_s) inside["meeting_s"] = *machine.inside.meeting_s;
  if (auto const& device = machine.device) {
    file["device"] = {{"name", device->name}};
    if (device->staged_bytes_per_s)
      file["device"]["staged_bytes_per_s"] = *device->staged_bytes_per_s;
  }
  if (auto const& memory = machine.memory) {
    file["memory"] = to_json(memory->together);
    file["memory"]["cache_bytes"] = memory->cache_bytes;
    if (memory->alone) file["memory"]["alone"] = to_json(*memory->alone);
  }
  Json& gflops = file["core_gflops"] = Json::object();
  add_rates(gflops, machine.double_gflops, "double");
  add_rates(gflops, machine.single_gflops, "single");
  for (Published const& published : machine.published)
    file["published"].push_back(to_json(published));
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Machine from_json(std::string const& words, std::string const& file) {
  Json const json = parsed(words, file);
  Fields fields(json, file, "");
  Machine machine;
  machine.name = fields.word("name");
  machine.source = fields.words("source");
  machine.notes = fields.words("notes");
  Fields node = fields.fields("node");
  machine.node_ranks = node.count("ranks");
  machine.node_cores = node.count("cores");
  node.end();
  if (fields.has("network")) machine.network = network_of(fields.fields("network"));
  machine.inside = inside_of(fields.fields("inside"));
  if (fields.has("device")) machine.device = device_of(fields.fields("device"));
  if (fields.has("memory")) machine.memory = memory_of(fields.fields("memory"));
  Fields gflops = fields.fields("core_gflops");
  machine.double_gflops = rates_of(gflops, "double");
  machine.single_gflops = rates_of(gflops, "single");
  gflops.end();
  if (fields.has("published"))
    for (Fields& published : fields.list("published"))
      machine.published.push_back(published_of(published));
  fields.end();
  return machine;
}

std::string default_machine_file(Device device) {
  auto const variable = [](char const* name) -> std::string {
    char const* const word = std::getenv(name);
    return word ? word : "";
  };
  if (std::string const file = variable("SIXSTEP_MACHINE"); !file.empty()) return file;
  std::string const inside = device == Device::none
                                 ? "/sixstep/machine.json"
                                 : text("/sixstep/machine-", to_string(device), ".json");
  if (std::string const data = variable("XDG_DATA_HOME"); !data.empty()) return data + inside;
  std::string const home = variable("HOME");
  require(!home.empty(), "machine file: a name is needed, or SIXSTEP_MACHINE, XDG_DATA_HOME or ",
          "HOME in the environment");
  return home + "/.local/share" + inside;
}

Machine read_machine(std::string const& file) {
  auto const words = read_whole_file(file, most_file_bytes);
  require(words.has_value(), file, ": a machine file is needed, there is none");
  return from_json(*words, file);
}

void write_machine(Machine const& machine, std::string const& file) {
  replace_file(file, to_json(machine), Target::any);
}

}  // namespace sixstep::model
