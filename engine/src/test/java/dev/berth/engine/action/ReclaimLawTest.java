package dev.berth.engine.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Contests;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.Seeds;
import dev.berth.engine.Settings;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.EvictionUnits;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of every reclaim, counted without [dev.berth.engine.fairness.ReclaimRight]. In these
/// worlds a single gang waits, so that all that changes is for its sake.
class ReclaimLawTest {
  static LongStream seeds() {
    return Seeds.worlds(400);
  }

  /// A world before and after a round, and what each side lost, piece by piece.
  private static final class Case {
    final Session before;
    final Session after;
    final QueueTree queues;
    final Shares shares;
    final Group preemptor;
    final long[] asked;
    final TreeMap<Integer, List<long[]>> lost = new TreeMap<>(); // by side

    Case(long seed) {
      var snapshot = Contests.duel(seed).snapshot();
      before = Session.over(snapshot, PlannerSettings.DEFAULT.defaultQueue());
      queues = before.queues();
      shares = Shares.of(before, Settings.of(seed).fairShare());
      preemptor = before.group(Cluster.key("w")).orElseThrow();
      asked = new long[queues.width()];
      for (int r = 0; r < asked.length; r++) {
        asked[r] = asked(preemptor, r);
      }
      after = Settings.carriedOut(Settings.planner(seed), snapshot);
      var gone = new TreeMap<PodUid, MemberState>();
      for (Group group : after.groups()) {
        for (MemberState seat : group.seats()) {
          if (seat.isVictim() && seat.cause() == Cause.RECLAIM && !seat.isPlaced()) {
            gone.put(seat.pod().uid(), seat);
          }
        }
      }
      for (Group group : before.groups()) {
        for (EvictionUnit unit : EvictionUnits.of(group)) {
          var seats =
              unit.seats().stream().filter(seat -> gone.containsKey(seat.pod().uid())).toList();
          if (!seats.isEmpty()) {
            int side = side(group.queue(), preemptor.queue());
            lost.computeIfAbsent(side, _ -> new ArrayList<>()).add(charge(seats));
          }
        }
      }
    }

    private static long asked(Group group, int r) {
      return group.next().map(PlacementStep::asked).orElseThrow().of(r);
    }

    private long[] charge(List<MemberState> seats) {
      var charge = new long[queues.width()];
      for (MemberState seat : seats) {
        for (int r = 0; r < charge.length; r++) {
          charge[r] += before.charges().atOrigin(seat).of(r);
        }
      }
      return charge;
    }

    /// The child of the lowest common ancestor towards `queue`: here a department, or a team where
    /// both are of the same one.
    int side(int queue, int other) {
      int mine = queues.chain(queue)[1];
      return mine == queues.chain(other)[1] ? queue : mine;
    }

    int ours(int theirs) {
      return queues.chain(theirs).length == 1
          ? queues.chain(preemptor.queue())[1]
          : preemptor.queue();
    }

    /// What the queue of the preemptor has afterwards, without the surplus of the preemptor.
    long startsWith(int r) {
      long has = after.queues().allocated(preemptor.queue(), r);
      for (MemberState seat : after.group(preemptor.key()).orElseThrow().seats()) {
        has -= seat.isNew() && !seat.isInBlock() ? after.charges().now(List.of(seat)).of(r) : 0;
      }
      return has;
    }

    boolean staysWithinQuota(int q) {
      boolean within = true;
      for (int r = 0; r < asked.length; r++) {
        within &= !counts(r) || left(q, r) + asked[r] <= queues.quota(q, r);
      }
      return within;
    }

    /// Of device models only those that are asked for.
    boolean counts(int r) {
      return queues.isBasic(r) || asked[r] > 0;
    }

    private boolean isIn(int queue, int side) {
      int[] chain = queues.chain(queue);
      return chain[0] == side || chain[chain.length - 1] == side;
    }

    /// Allocated before, minus what it lost, and those below it.
    long left(int side, int r) {
      long left = before.queues().allocated(side, r);
      for (var each : lost.entrySet()) {
        if (isIn(each.getKey(), side)) {
          for (long[] unit : each.getValue()) {
            left -= unit[r];
          }
        }
      }
      return left;
    }
  }

  /// Then also before the last piece, whichever that is.
  @ParameterizedTest
  @MethodSource("seeds")
  void losingQueueHadMoreThanItsShareBeforeEachUnit(long seed) {
    var it = new Case(seed);
    it.lost.forEach((side, units) -> {
      boolean claimsItsOwn = it.staysWithinQuota(it.ours(side));
      boolean lawful = false;
      for (long[] last : units) {
        for (int r = 0; r < last.length; r++) {
          long had = it.left(side, r) + last[r];
          lawful |= had > it.shares.allocatable(side, r);
          lawful |= claimsItsOwn && had > it.queues.quota(side, r);
        }
      }
      assertThat(lawful).as(() -> it.queues.queue(side).name() + " lost what was its own").isTrue();
    });
  }

  /// Demand beyond its minimum may get what no other group requests.
  @ParameterizedTest
  @MethodSource("seeds")
  void reclaimingGroupStaysWithinTheFairShareOfItsQueue(long seed) {
    var it = new Case(seed);
    if (!it.lost.isEmpty()) {
      int leaf = it.preemptor.queue();
      for (int r = 0; r < it.asked.length; r++) {
        assertThat(!it.counts(r) || it.startsWith(r) <= it.shares.share(leaf, r))
            .as(() -> it.queues.queue(leaf).name() + " has more than its share")
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noSideAboveItsShareIsMoreSaturatedThanOneThatLost(long seed) {
    var it = new Case(seed);
    for (int side : it.lost.keySet()) {
      int ours = it.ours(side);
      for (int r = 0; r < it.asked.length; r++) {
        double share = it.shares.share(ours, r);
        double theirs = it.shares.share(side, r);
        double have = it.left(ours, r) + it.asked[r];
        boolean counts = it.asked[r] > 0;
        boolean tooMuch =
            counts && have > share && theirs > 0 && have * theirs >= it.left(side, r) * share;
        assertThat(!tooMuch)
            .as(() -> it.queues.queue(ours).name() + " took more than it left")
            .isTrue();
      }
    }
  }

  @Test
  void theWorldsAreNotIdle() {
    int reclaims = 0;
    int severalPieces = 0;
    for (long seed = 0; seed < 900; seed++) {
      var it = new Case(seed);
      reclaims += it.lost.isEmpty() ? 0 : 1;
      severalPieces += it.lost.values().stream().anyMatch(units -> units.size() > 1) ? 1 : 0;
    }
    assertThat(reclaims > 20).as("reclaims: " + reclaims).isTrue();
    assertThat(severalPieces > 5).as("of several pieces: " + severalPieces).isTrue();
  }
}
