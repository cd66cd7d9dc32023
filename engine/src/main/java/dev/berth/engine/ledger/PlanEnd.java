package dev.berth.engine.ledger;

/// How a plan ended that is not bound.
///
/// @param words of whoever did not go along; empty = nobody says why
record PlanEnd(Way way, String words) {
  /// Nobody says how: it counts all the same, so that no way is forgotten.
  static final PlanEnd UNSAID = new PlanEnd(Way.UNSAID, "");

  private static final int MOST_WORDS = 200;

  PlanEnd(Way way) {
    this(way, "");
  }

  PlanEnd {
    words = words.length() > MOST_WORDS ? words.substring(0, MOST_WORDS) + "…" : words;
  }

  /// The ways, and whether others left in vain then, so that the workload backs off. Each way that
  /// does not count says why.
  enum Way {
    UNSAID(true),
    /// kube-scheduler refused the node, or the pod; the API server refused what was to be written.
    REFUSED(true),
    /// Its deadline passed, with its gate open or being lifted.
    LAPSED(true),
    CROWDED_OUT(true),
    /// A pod of it was deleted, or put into another group.
    MEMBER_GONE(true),
    /// Another plan, that a limit counts with it, ended before its victims left.
    MISLED(true),

    /// Somebody who comes before it has its room: nobody left in vain.
    GAVE_WAY(false),
    /// Berth takes its group away: it is preempted, or stale, or has run for its time.
    WITH_ITS_GROUP(false),
    /// Behind its gate it waited for others to leave, or for its devices.
    WAITED(false),
    /// An administrator changed a queue.
    BEYOND_ITS_QUEUE(false),
    /// A victim is protected by its disruption budget; nobody chooses that victim for a while.
    VICTIM_STAYS(false),
    /// The node cannot hand out its devices; nobody is planned onto them for a while.
    NODE_IN_TROUBLE(false),
    /// Its Binding got no answer: it may be bound.
    IN_DOUBT(false),
    /// Its block had ended before, and was counted then.
    AFTER_ITS_BLOCK(false),
    /// One before us wrote it in part; nobody has been asked to leave for it by us.
    LEFT_BY_ANOTHER(false),
    /// It did not fit when it was to be kept: nobody was asked to leave.
    NEVER_KEPT(false);

    private final boolean counts;

    Way(boolean counts) {
      this.counts = counts;
    }

    boolean counts() {
      return counts;
    }
  }
}
