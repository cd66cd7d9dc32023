package dev.berth.engine.ledger;

import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Whose turn it is with claims that one pod at a time may use (`ReadWriteOncePod`). kube-scheduler
/// refuses all pods but the one that is on a node (VolumeRestrictions). Of those that are on none
/// it is the oldest's turn: else others would leave for all of them.
final class OnePodClaims {
  private static final Comparator<PodRecord> FIRST =
      Comparator.comparing((PodRecord user) -> !user.pod.isBound())
          .thenComparing(user -> user.pod.created())
          .thenComparing(user -> user.pod.uid());

  private final SetsByKey<PersistentVolumeClaim.Key, PodRecord> users;

  /// By claim; those that have been asked for.
  private final Map<PersistentVolumeClaim.Key, PodRecord> first = new HashMap<>();

  /// @param users pods by claim, as they are now
  OnePodClaims(SetsByKey<PersistentVolumeClaim.Key, PodRecord> users) {
    this.users = users;
  }

  /// Whether it is another pod's turn.
  boolean isOthers(PersistentVolumeClaim.Key claim, PodUid pod) {
    var turn = first.computeIfAbsent(claim, key -> find(key).orElse(null));
    return turn != null && !turn.pod.uid().equals(pod);
  }

  private Optional<PodRecord> find(PersistentVolumeClaim.Key claim) {
    return users.of(claim).stream().filter(user -> mayUse(user.pod)).min(FIRST);
  }

  private static boolean mayUse(Pod pod) {
    return !pod.isOver() && (pod.isBound() || !pod.life().leaving());
  }

  /// The claim has changed, or is gone.
  void forget(PersistentVolumeClaim.Key claim) {
    first.remove(claim);
  }

  /// A user has come, or has changed.
  ///
  /// @return the users whose turn begins or ends with that
  List<PodRecord> seen(PersistentVolumeClaim.Key claim, PodRecord user) {
    PodRecord turn = first.get(claim);
    if (turn == null || turn == user) {
      boolean goesOn = turn == user && user.pod.isBound() && mayUse(user.pod);
      return goesOn ? List.of() : next(claim);
    }
    return mayUse(user.pod) && FIRST.compare(user, turn) < 0
        ? List.of(Objects.requireNonNull(first.put(claim, user)), user)
        : List.of();
  }

  /// A user is gone.
  ///
  /// @return as in `seen`
  List<PodRecord> gone(PersistentVolumeClaim.Key claim, PodRecord user) {
    return first.get(claim) == user ? next(claim) : List.of();
  }

  private List<PodRecord> next(PersistentVolumeClaim.Key claim) {
    var before = Optional.ofNullable(first.remove(claim));
    var now = find(claim);
    now.ifPresent(user -> first.put(claim, user));
    return before.equals(now) ? List.of() : Stream.concat(before.stream(), now.stream()).toList();
  }
}
