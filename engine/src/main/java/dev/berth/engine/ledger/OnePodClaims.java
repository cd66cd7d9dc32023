package dev.berth.engine.ledger;

import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Whose turn it is with claims that one pod at a time may use (`ReadWriteOncePod`). kube-scheduler
/// refuses all pods but the one that is on a node (VolumeRestrictions). Of those that are on none
/// it is the oldest's turn: else others would leave for all of them. Of pods that were created in
/// the same second it is the first's by name, so that messages do not depend on chance.
final class OnePodClaims {
  private final SetsByKey<PersistentVolumeClaim.Key, PodRecord> users;

  /// By claim; those that have been asked for.
  private final Map<PersistentVolumeClaim.Key, Users> known = new HashMap<>();

  /// @param users pods by claim, as they are now
  OnePodClaims(SetsByKey<PersistentVolumeClaim.Key, PodRecord> users) {
    this.users = users;
  }

  /// The pods of one claim, the oldest first.
  private static final class Users {
    private static final Comparator<PodRecord> BY_AGE =
        Comparator.comparing((PodRecord user) -> user.pod.created())
            .thenComparing(user -> user.pod.key())
            .thenComparing(user -> user.pod.uid());

    private final TreeSet<PodRecord> bound = new TreeSet<>(BY_AGE);
    private final TreeSet<PodRecord> waiting = new TreeSet<>(BY_AGE);

    void see(PodRecord user) {
      leave(user);
      Pod pod = user.pod;
      if (!pod.isOver() && (pod.isBound() || !pod.life().leaving())) {
        var _ = (pod.isBound() ? bound : waiting).add(user);
      }
    }

    void leave(PodRecord user) {
      bound.remove(user);
      waiting.remove(user);
    }

    Optional<PodRecord> first() {
      var first = bound.isEmpty() ? waiting : bound;
      return first.isEmpty() ? Optional.empty() : Optional.of(first.first());
    }
  }

  private Users of(PersistentVolumeClaim.Key claim) {
    return known.computeIfAbsent(
        claim,
        key -> {
          var all = new Users();
          users.of(key).forEach(all::see);
          return all;
        });
  }

  /// Whether it is another pod's turn.
  boolean isOthers(PersistentVolumeClaim.Key claim, PodUid pod) {
    return of(claim).first().filter(turn -> !turn.pod.uid().equals(pod)).isPresent();
  }

  /// The claim has changed, or is gone.
  void forget(PersistentVolumeClaim.Key claim) {
    known.remove(claim);
  }

  /// A user has come, or has changed.
  ///
  /// @return the users whose turn begins or ends with that
  List<PodRecord> seen(PersistentVolumeClaim.Key claim, PodRecord user) {
    var all = of(claim);
    var before = all.first();
    all.see(user);
    return changed(before, all.first());
  }

  /// A user is gone.
  ///
  /// @return as in `seen`
  List<PodRecord> gone(PersistentVolumeClaim.Key claim, PodRecord user) {
    var all = known.get(claim);
    if (all == null) {
      return List.of();
    }
    var before = all.first();
    all.leave(user);
    if (!users.has(claim)) {
      known.remove(claim);
    }
    return changed(before, all.first());
  }

  private static List<PodRecord> changed(Optional<PodRecord> before, Optional<PodRecord> now) {
    return before.equals(now) ? List.of() : Stream.concat(before.stream(), now.stream()).toList();
  }
}
