package dev.berth.engine.request;

import java.util.ArrayList;
import java.util.List;

/// `a, b,c`: texts between commas, without blanks around them and without empty ones.
final class CommaList {
  private CommaList() {}

  static List<String> of(String text) {
    var list = new ArrayList<String>(2);
    for (String item : text.split(",", -1)) {
      String trimmed = item.trim();
      if (!trimmed.isEmpty()) {
        list.add(trimmed);
      }
    }
    return list;
  }
}
