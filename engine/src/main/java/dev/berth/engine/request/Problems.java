package dev.berth.engine.request;

import dev.berth.engine.model.Problem;
import java.util.ArrayList;
import java.util.List;

/// What is wrong in one object, gathered while it is read.
public final class Problems {
  /// Nobody reads more, and a hostile object must not fill our memory.
  private static final int MOST = 16;

  private List<Problem> found = List.of();

  public void add(String field, String value, String rule) {
    if (found.isEmpty()) {
      found = new ArrayList<>(2);
    }
    if (found.size() < MOST) {
      found.add(new Problem(field, value, rule));
    }
  }

  public List<Problem> list() {
    return found;
  }
}
