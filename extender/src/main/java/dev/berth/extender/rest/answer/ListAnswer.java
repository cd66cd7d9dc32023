package dev.berth.extender.rest.answer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A page of a list.
///
/// @param next what the next page is asked for with (`continue`); empty = this is the last one
public record ListAnswer(String revision, String at, List<?> items, String next) {
  public ListAnswer {
    items = List.copyOf(items);
  }

  /// The JSON: `continue` is no name in Java.
  public Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("revision", revision);
    tree.put("at", at);
    tree.put("items", items);
    if (!next.isEmpty()) {
      tree.put("continue", next);
    }
    return tree;
  }
}
