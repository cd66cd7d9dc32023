package dev.berth.engine.request;

import dev.berth.engine.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// What is wrong in one object, gathered while it is read.
public final class Problems {
  /// More is not read: a hostile object must not fill Berth's memory.
  private static final int MOST = 16;

  private final Supplier<String> object;
  private final List<Problems> whole; // none for the whole itself
  private List<Problem> found = List.of();

  public Problems() {
    this(() -> "", List.of());
  }

  private Problems(Supplier<String> object, List<Problems> whole) {
    this.object = object;
    this.whole = whole;
  }

  /// Takes the problems of one object among several that are read together, and lists them here.
  ///
  /// @param object its name, asked for only where something is wrong
  public Problems in(Supplier<String> object) {
    return new Problems(object, List.of(this));
  }

  public void add(String field, String value, String rule) {
    add(new Problem(field, value, rule, object.get()));
  }

  private void add(Problem problem) {
    whole.forEach(all -> all.add(problem));
    if (found.isEmpty()) {
      found = new ArrayList<>(2);
    }
    if (found.size() < MOST) {
      found.add(problem);
    }
  }

  public List<Problem> list() {
    return found;
  }
}
