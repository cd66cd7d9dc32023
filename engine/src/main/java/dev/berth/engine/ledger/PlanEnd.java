package dev.berth.engine.ledger;

/// How a plan ended that is not bound.
///
/// @param words the message of the component that prevented it; empty = none
record PlanEnd(Way way, String words) {
  /// The way is not stated: it counts all the same, so that no way is forgotten.
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

    /// Behind its gate it waited for others to leave, or for its devices, until its deadline. It
    /// counts once one of them is gone: the one that stays may be of the same user.
    WAITED(true),

    /// A pod of it was deleted, or put into another group.
    MEMBER_GONE(true),
    /// Another plan, that a limit counts with it, ended before its victims left.
    MISLED(true),

    /// A queue was changed or deleted, and does not take it any more. Teams may own queues, so that
    /// may be its own doing.
    BEYOND_ITS_QUEUE(true),

    /// It lost its room to no group that precedes it: it cannot be placed any more.
    WITHDRAWN(true),

    /// A group that precedes it has its room, and answers for its victims, or it has a plan anew.
    GAVE_WAY(false),
    /// Berth takes its group away: it is preempted, or stale, or has run for its time.
    WITH_ITS_GROUP(false),
    /// A victim is protected by its disruption budget; it is not chosen again for a while.
    VICTIM_STAYS(false),
    /// The node cannot hand out its devices; no pod is planned onto them for a while.
    NODE_IN_TROUBLE(false),
    /// Its Binding got no answer: it may be bound.
    IN_DOUBT(false),
    /// Its block had ended before, and was counted then.
    AFTER_ITS_BLOCK(false),
    /// A previous leader wrote it in part; this process has evicted no victim for it.
    LEFT_BY_ANOTHER(false),
    /// It did not fit when it was to be assumed: no victim was evicted.
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
