package dev.berth.controllers.lease;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.LeaderLabelClient;
import dev.berth.controllers.loop.Workers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps [LeaderLabelClient] on the pod of this process while it leads and answers, and off it
/// otherwise.
///
/// A container that was killed restarts in the same pod, which still carries the label: a standby
/// removes its own label first. The leader puts it again every [#PERIOD], which also takes it off
/// the pod of a deposed leader whose write came late. Any thread.
public final class LeaderLabelKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderLabelKeeper.class);

  /// Between two writes of the leader; the API server drops those that change nothing.
  static final Duration PERIOD = Duration.ofSeconds(10);

  static final Duration RETRY = Duration.ofMillis(500);

  private enum Role {
    STANDBY,
    LEADER,
    STOPPING
  }

  private final LeaderLabelClient label;
  private final Workers workers;
  private Role role = Role.STANDBY; // these three: guarded by this
  private int turn;
  private boolean told;

  public LeaderLabelKeeper(LeaderLabelClient label, Workers workers) {
    this.label = label;
    this.workers = workers;
  }

  /// Removes the label, and retries until it is removed.
  public void standsBy() {
    become(Role.STANDBY);
  }

  /// Puts the label, and keeps it.
  public void leads() {
    become(Role.LEADER);
  }

  /// Removes the label, if the API server answers now.
  public void stops() {
    become(Role.STOPPING);
  }

  private synchronized void become(Role next) {
    role = next;
    int mine = ++turn;
    workers.run(() -> write(mine));
  }

  private synchronized boolean isCurrent(int mine) {
    return mine == turn;
  }

  private synchronized Role role() {
    return role;
  }

  private void write(int mine) {
    if (!isCurrent(mine)) {
      return;
    }
    Role now = role();
    boolean done = write(now);
    if (now == Role.LEADER || now == Role.STANDBY && !done) {
      workers.at(workers.time().instant().plus(done ? PERIOD : RETRY), () -> write(mine));
    }
  }

  private boolean write(Role now) {
    try {
      if (now == Role.LEADER) {
        label.put();
      } else {
        label.remove();
      }
      worked();
      return true;
    } catch (ClientException failed) {
      tell(failed);
      return failed.kind() == ClientException.Kind.GONE && now != Role.LEADER; // no pod, no label
    }
  }

  private synchronized void worked() {
    told = false;
  }

  private synchronized void tell(ClientException failed) {
    if (!told) {
      told = true;
      LOG.atWarn().addKeyValue("why", failed.getMessage()).log("leader label not written");
    }
  }
}
