package dev.berth.engine.model;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// Finds what a misspelt name was meant to be.
public final class Spelling {
  private Spelling() {}

  /// The known name that is nearest, if it is near: another case, or one edit for each three
  /// letters, swapped neighbours included. The first of several.
  public static Optional<String> nearest(String name, Collection<String> known) {
    String best = "";
    int fewest = name.length() / 3 + 1;
    for (String each : known) {
      int edits = edits(name.toLowerCase(Locale.ROOT), each.toLowerCase(Locale.ROOT));
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
  private static int edits(String one, String other) {
    int[][] cost = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        least = Math.min(least, cost[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        cost[i][j] = swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
      }
    }
    return cost[one.length()][other.length()];
  }
}
