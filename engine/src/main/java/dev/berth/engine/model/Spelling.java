package dev.berth.engine.model;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// Finds what a misspelt name was meant to be.
public final class Spelling {
  /// Longer names are not compared letter by letter: of any two the work is bounded.
  private static final int MOST_LETTERS = 64;

  private Spelling() {}

  /// The known name that is nearest, if it is near: another case, or one edit for each three
  /// letters, swapped neighbours included. The first of several. A name of more than 64 letters is
  /// near in another case alone.
  public static Optional<String> nearest(String name, Collection<String> known) {
    String best = "";
    int fewest = name.length() / 3 + 1;
    String lower = name.toLowerCase(Locale.ROOT);
    for (String each : known) {
      int edits = edits(lower, each, fewest);
      if (edits < fewest) {
        fewest = edits;
        best = each;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  /// ` (did you mean deadline?)`, or nothing.
  public static String hint(String name, Collection<String> known) {
    return nearest(name, known).map(near -> " (did you mean " + near + "?)").orElse("");
  }

  /// Letters that are added, left out, exchanged or swapped with their neighbour.
  ///
  /// @param one in small letters
  /// @param bound from which on the number does not matter
  private static int edits(String one, String known, int bound) {
    if (Math.abs(one.length() - known.length()) >= bound) {
      return bound;
    }
    if (one.length() > MOST_LETTERS || known.length() > MOST_LETTERS) {
      return one.equalsIgnoreCase(known) ? 0 : bound;
    }
    String other = known.toLowerCase(Locale.ROOT);
    int[] beforeLast = new int[other.length() + 1];
    int[] last = new int[other.length() + 1];
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] spent = beforeLast;
      beforeLast = last;
      last = row;
      row = spent;
      row[0] = i;
      int fewest = i;
      for (int j = 1; j <= other.length(); j++) {
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int least = Math.min(last[j], row[j - 1]) + 1;
        least = Math.min(least, last[j - 1] + (same ? 0 : 1));
        boolean swapped =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        row[j] = swapped ? Math.min(least, beforeLast[j - 2] + 1) : least;
        fewest = Math.min(fewest, row[j]);
      }
      if (fewest > bound) { // a swap may come back from the row before: by one edit
        return bound;
      }
    }
    return Math.min(row[other.length()], bound);
  }
}
