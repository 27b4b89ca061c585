// SPDX-License-Identifier: BSD-3-Clause
#include "runners/changes_on_device.hpp"

namespace sixstep::runners {

namespace {

void const* placed(formulas::ChangeTable const& table, device::DeviceSite& site) {
  return site.placed(table.begin, table.bytes);
}

bool is_table(formulas::ChangeSide const& side) { return side.array == formulas::Array::table; }

/// Where a side begins.
std::byte* begin_of(formulas::ChangeSide const& side, formulas::Change const& change,
                    ChangeArrays const& arrays, Index element_bytes, device::DeviceSite& site) {
  void* const begin = is_table(side) ? const_cast<void*>(placed(change.table, site))
                                     : arrays[static_cast<std::size_t>(side.array)];
  return static_cast<std::byte*>(begin) + side.first * element_bytes;
}

device::Copy copy_of(formulas::Change const& change, ChangeArrays const& arrays, int real_bytes,
                     device::DeviceSite& site) {
  device::Copy copy;
  copy.real_bytes = real_bytes;
  copy.from_reals = change.from_reals ? 1 : 2;
  copy.to_reals = change.to_reals ? 1 : 2;
  copy.axes = 1;
  copy.extent[0] = change.count;
  if (change.from) {
    copy.source = begin_of(*change.from, change, arrays, Index{copy.from_reals} * real_bytes, site);
    copy.from[0] = change.from->step;
  }
  copy.target = begin_of(change.to, change, arrays, Index{copy.to_reals} * real_bytes, site);
  copy.to[0] = change.to.step;
  copy.scale = change.factor;
  copy.conjugates = change.conjugates;
  copy.adds = change.adds;
  bool const is_side = is_table(change.to) || (change.from && is_table(*change.from));
  if (change.table.begin && !is_side) {
    copy.table.numbers = static_cast<std::byte const*>(placed(change.table, site)) +
                         change.first_in_table * 2 * real_bytes;
    copy.in_table[0] = 1;
    copy.conjugates_table = change.conjugates_table;
  }
  copy.changes = copy.from_reals != copy.to_reals || copy.scale != 1 || copy.conjugates ||
                 copy.adds || copy.table.numbers != nullptr;
  return copy;
}

}  // namespace

void place_tables(formulas::Changes const& changes, device::DeviceSite& site) {
  for (formulas::Change const& change : changes) placed(change.table, site);
}

void put(formulas::Changes const& changes, ChangeArrays const& arrays, int real_bytes,
         device::DeviceSite& site) {
  for (formulas::Change const& change : changes)
    if (change.count > 0) site.queue()->run(copy_of(change, arrays, real_bytes, site));
}

}  // namespace sixstep::runners
