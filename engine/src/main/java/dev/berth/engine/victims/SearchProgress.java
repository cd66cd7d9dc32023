package dev.berth.engine.victims;

import java.util.HashMap;
import java.util.HashSet;

/// How far wide searches came, from plan to plan: what is cut short goes on where it stopped, and
/// what proved hopeless is not searched again before anything changes.
///
/// Searches go in rounds: each preemptor is searched to its end once before any is searched again,
/// so that the first ones do not spend what is there for all. A preemptor that comes while a round
/// is under way is searched in it, and does not keep it open: or a trickle of them would do so for
/// ever. Depends on the facts and on what was planned before, never on the clock.
public final class SearchProgress {
  private final HashMap<Object, Mark> marks = new HashMap<>(); // looked up only
  private final HashSet<Object> searched = new HashSet<>(); // in this round; looked up only
  private long facts; // counts the times when anything had changed
  private long oldest; // of a search that ended in this round: the facts when it began
  private HashSet<Object> stopped = new HashSet<>(); // in the latest plan
  private HashSet<Object> stoppedBefore = new HashSet<>(); // in the plan before it
  private final HashSet<Object> awaited = new HashSet<>(); // by the round; looked up only
  private boolean isFirst = true; // plan of its round
  private boolean isOpen;

  /// @param facts when the search began
  /// @param tried sets that were tried since then
  /// @param ended whether it came to its end, and found nothing
  /// @param everEnded whether it ever came to its end
  private record Mark(long facts, int tried, boolean ended, boolean everEnded) {
    static final Mark NONE = new Mark(-1, 0, true, false);
  }

  /// Something is not as it was.
  public void changed() {
    facts++;
  }

  /// A plan begins.
  public void begin() {
    awaited.retainAll(stopped); // what left is not awaited
    isFirst = awaited.isEmpty(); // so the round before is over
    isOpen = false;
    if (isFirst && oldest < facts) {
      searched.addAll(stopped);
      marks.keySet().retainAll(searched);
      searched.clear();
      oldest = facts;
    }
    var latest = stopped;
    stopped = stoppedBefore;
    stoppedBefore = latest;
    stopped.clear();
  }

  /// The plan was dropped before its end: searches that it did not come to stand where they stood,
  /// and a round that it began begins again.
  public void dropped() {
    stopped.addAll(stoppedBefore);
    if (isFirst) {
      awaited.clear();
    }
  }

  /// Whether a search goes on in the next plan, though nothing changed.
  public boolean goesOn() {
    return isOpen || !searched.isEmpty() && oldest < facts;
  }

  /// Whether a search would find nothing: proven as things are, or tried in this round.
  boolean isHopeless(Object preemptor) {
    var mark = mark(preemptor);
    return mark.ended && mark.facts == facts || searched.contains(preemptor);
  }

  /// How many sets were tried before the search was cut short.
  int tried(Object preemptor) {
    var mark = mark(preemptor);
    return mark.ended ? 0 : mark.tried;
  }

  /// Whether it was searched to its end before, even if things were different then.
  boolean everEnded(Object preemptor) {
    return mark(preemptor).everEnded;
  }

  /// Nothing was found.
  void ended(Object preemptor) {
    var mark = mark(preemptor);
    long began = mark.ended ? facts : mark.facts;
    marks.put(preemptor, new Mark(began, 0, true, true));
    searched.add(preemptor);
    awaited.remove(preemptor);
    oldest = Math.min(oldest, began);
  }

  /// The search stopped before its end, and goes on next time.
  void stopped(Object preemptor, int tried) {
    var mark = mark(preemptor);
    long began = mark.ended ? facts : mark.facts;
    marks.put(preemptor, new Mark(began, tried, false, mark.everEnded));
    isOpen = true;
    stopped.add(preemptor);
    if (isFirst) {
      awaited.add(preemptor);
    }
  }

  /// A plan was found.
  void found(Object preemptor) {
    marks.remove(preemptor);
    awaited.remove(preemptor);
  }

  private Mark mark(Object preemptor) {
    return marks.getOrDefault(preemptor, Mark.NONE);
  }
}
