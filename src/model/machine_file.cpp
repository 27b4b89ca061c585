// SPDX-License-Identifier: BSD-3-Clause
// Machine files: what their keys mean, in both directions.
#include "model/machine_file.hpp"

#include <charconv>
#include <cstdlib>

#include "base/match.hpp"
#include "base/new_file.hpp"
#include "base/whole_file.hpp"
#include "model/json_fields.hpp"

namespace sixstep::model {

namespace {

constexpr Index most_nodes = std::numeric_limits<int>::max();
constexpr std::size_t most_file_bytes = std::size_t{16} << 20;

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
    if (!length || *length > most_count) return std::nullopt;
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

std::vector<Partition> partitions_of(Fields& fields, std::string const& where) {
  std::vector<Partition> found;
  for (std::string const& word : fields.words("partitions")) {
    auto const partition = partition_of(word);
    if (!partition)
      fields.refuse(where,
                    text("a list of partitions of at most ", most_nodes,
                         " nodes, as in \"4 x 4 x 2m\" (m marks a mesh),"),
                    word);
    if (!found.empty() && partition->nodes() <= found.back().nodes())
      fields.refuse(where,
                    text("a partition of more nodes than the ", found.back().nodes(), " before it"),
                    word);
    found.push_back(*partition);
  }
  if (found.empty()) fields.refuse(where, "a partition", "none");
  return found;
}

constexpr Bounds from_zero{0}, a_share{std::numeric_limits<double>::min(), 1};

std::variant<Flat, FatTree, Torus> shape_of(Fields fields) {
  std::variant<Flat, FatTree, Torus> shape;
  std::string const kind = fields.word("kind");
  if (kind == "fat_tree")
    shape = FatTree{fields.count("leaf_nodes"), fields.number("taper", a_share)};
  else if (kind == "torus")
    shape = Torus{fields.number("link_bytes_per_s"), fields.number("efficiency", a_share),
                  partitions_of(fields, "network.shape.partitions")};
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

Devices device_of(Fields fields) {
  Devices device{fields.word("name")};
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
