package dev.berth.engine.session;

import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Dense numbers for resource names. A cluster has a dozen of them, and lists of amounts are
/// sorted, so the number after the last one found is nearly always the right guess.
final class Resources {
  static final int UNKNOWN = -1;

  private Resource[] names = new Resource[8];
  private int size;
  private int guess;

  int size() {
    return size;
  }

  Resource name(int index) {
    return names[index];
  }

  int intern(Resource resource) {
    int found = find(resource);
    if (found != UNKNOWN) {
      return found;
    }
    if (size == names.length) {
      names = Arrays.copyOf(names, size * 2);
    }
    names[size] = resource;
    return size++;
  }

  /// For the thread that builds the table: remembers where it looked last.
  int findNext(Resource resource) {
    if (guess < size && names[guess].equals(resource)) {
      return guess++;
    }
    int found = find(resource);
    guess = found + 1;
    return found;
  }

  /// ` (did you mean nvidia.com/gpu?)`, or nothing. Names of one vendor are compared without it.
  String hint(Resource unknown) {
    var known = new ArrayList<String>();
    for (int i = 0; i < size; i++) {
      known.add(names[i].name());
    }
    String name = unknown.name();
    int vendor = name.indexOf('/') + 1;
    return Spelling.nearest(name, known)
        .filter(near ->
            !near.startsWith(name.substring(0, vendor))
                || Spelling.nearest(name.substring(vendor), List.of(near.substring(vendor)))
                    .isPresent())
        .map(near -> " (did you mean " + near + "?)")
        .orElse("");
  }

  /// [#UNKNOWN] where it was not interned.
  int find(Resource resource) {
    for (int i = 0; i < size; i++) {
      if (names[i].equals(resource)) {
        return i;
      }
    }
    return UNKNOWN;
  }
}
