package dev.berth.cli.lists;

import java.util.List;
import java.util.Map;

/// What a command lists.
///
/// @param kind in the plural, in lower case
/// @param table for people
/// @param names for `-o name`
/// @param items for programs: maps, lists, strings, numbers, booleans; one for each row
public record Listed(
    String kind, TextTable table, List<String> names, List<Map<String, Object>> items) {
  public Listed {
    names = List.copyOf(names);
    items = List.copyOf(items);
  }
}
