package dev.berth.engine.fairness;

import java.util.Arrays;

/// The first of many: a knockout bracket, in which the matches of an entrant that changed are
/// played again, and no others: O(log n). Of two of which none comes before the other the earlier
/// entrant wins.
final class Bracket {
  /// No entrant takes part.
  static final int NONE = -1;

  /// How entrants, by number, are compared.
  interface Match {
    /// Whether an entrant takes part.
    boolean stands(int entrant);

    boolean isBefore(int entrant, int other);
  }

  private final Match match;
  private int[] winners = {NONE, NONE}; // 1 = of all; the second half: the entrants themselves
  private int size;
  private boolean isPlayed = true;

  Bracket(Match match) {
    this.match = match;
  }

  /// One more entrant.
  ///
  /// @return its number: one after the other from 0
  int add() {
    if (size == winners.length / 2) {
      winners = new int[2 * winners.length];
      isPlayed = false;
    }
    return size++;
  }

  /// Many entrants changed: all matches are played again, at once.
  void changed() {
    isPlayed = false;
  }

  /// An entrant changed, or is new.
  void changed(int entrant) {
    if (!isPlayed) {
      return;
    }
    int at = winners.length / 2 + entrant;
    winners[at] = match.stands(entrant) ? entrant : NONE;
    while (at > 1) {
      at /= 2;
      winners[at] = of(winners[2 * at], winners[2 * at + 1]);
    }
  }

  /// The first of all that take part, or [#NONE].
  int winner() {
    if (!isPlayed) {
      playAll();
    }
    return winners[1];
  }

  private void playAll() {
    int half = winners.length / 2;
    Arrays.fill(winners, NONE);
    for (int entrant = 0; entrant < size; entrant++) {
      winners[half + entrant] = match.stands(entrant) ? entrant : NONE;
    }
    for (int at = half - 1; at >= 1; at--) {
      winners[at] = of(winners[2 * at], winners[2 * at + 1]);
    }
    isPlayed = true;
  }

  private int of(int earlier, int later) {
    if (earlier == NONE || later == NONE) {
      return earlier == NONE ? later : earlier;
    }
    return match.isBefore(later, earlier) ? later : earlier;
  }
}
