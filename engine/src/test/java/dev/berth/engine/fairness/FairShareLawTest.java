package dev.berth.engine.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of every division. `-Dseed=123` replays one.
class FairShareLawTest {
  private static final int DIVISIONS = 500;

  static LongStream seeds() {
    long one = Long.getLong("seed", -1);
    return one >= 0 ? LongStream.of(one) : LongStream.range(0, DIVISIONS);
  }

  /// Something to divide. Half of all are about whole devices only; those with a `k` have a past.
  private record Case(long amount, long unit, double k, List<FairShareClaim> claims) {
    static Case random(long seed) {
      var random = new Random(seed);
      long unit = random.nextBoolean() ? 1000 : 1;
      long grain = random.nextBoolean() ? unit : Math.max(1, unit / 4);
      double k = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
      var claims = new ArrayList<FairShareClaim>();
      int count = random.nextInt(9);
      for (int i = 0; i < count; i++) {
        claims.add(claim("q" + i, random, grain));
      }
      return new Case(grain * random.nextInt(random.nextBoolean() ? 40 : 200), unit, k, claims);
    }

    private static FairShareClaim claim(String name, Random random, long grain) {
      double[] weights = {0, 1, 1, 1, 2, 3, 0.5, 0.1, 2.25, 1e6};
      return new FairShareClaim(
          new QueueName(name),
          Instant.ofEpochSecond(random.nextInt(3)),
          100 * random.nextInt(random.nextBoolean() ? 1 : 3),
          random.nextInt(9) == 0 ? Queue.UNLIMITED : grain * random.nextInt(8),
          random.nextInt(3) > 0 ? Queue.UNLIMITED : grain * random.nextInt(30),
          grain * (random.nextInt(4) == 0 ? 0 : random.nextInt(60)),
          weights[random.nextInt(weights.length)],
          random.nextInt(4) == 0 ? 0 : random.nextDouble());
    }

    long[] shares() {
      return FairShare.divide(amount, unit, k, claims);
    }

    Case with(double factor) {
      return new Case(amount, unit, factor, claims);
    }

    Case larger(long factor, long unitNext) {
      var next = new ArrayList<FairShareClaim>();
      for (FairShareClaim each : claims) {
        next.add(
            new FairShareClaim(
                each.name(),
                each.created(),
                each.priority(),
                times(each.quota(), factor),
                times(each.limit(), factor),
                times(each.request(), factor),
                each.weight(),
                each.usage()));
      }
      return new Case(amount * factor, unitNext, k, next);
    }

    private static long times(long amount, long factor) {
      return amount == Queue.UNLIMITED ? amount : amount * factor;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void itIsWhatASlowRecountGives(long seed) {
    var division = Case.random(seed).with(0);
    assertThat(division.shares())
        .isEqualTo(DivisionRecount.divide(division.amount, division.unit, division.claims));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noQueueGetsAUnitMoreThanItMayAskFor(long seed) {
    var division = Case.random(seed);
    each(division, (claim, share) -> share >= 0 && share < claim.requestable() + division.unit);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyoneGetsItsQuotaAsFarAsItAsks(long seed) {
    var division = Case.random(seed);
    each(division, (claim, share) -> share >= deserved(division, claim));
  }

  /// Nothing is promised twice, but for quotas that exceed what there is.
  @ParameterizedTest
  @MethodSource("seeds")
  void togetherTheyGetNoMoreThanThereIs(long seed) {
    var division = Case.random(seed);
    long quotas = sum(division, claim -> deserved(division, claim));
    long shares = LongStream.of(division.shares()).sum();
    assertThat(shares <= Math.max(division.amount, quotas))
        .as(() -> division + " gives " + shares)
        .isTrue();
  }

  /// Nothing is left as long as a queue with a weight requests it.
  @ParameterizedTest
  @MethodSource("seeds")
  void nothingLiesIdleThatAQueueWants(long seed) {
    var division = Case.random(seed);
    boolean isLeft = LongStream.of(division.shares()).sum() < division.amount;
    each(
        division, (claim, share) -> !isLeft || claim.weight() == 0 || share >= claim.requestable());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderOfSiblingsDoesNotMatter(long seed) {
    var division = Case.random(seed);
    var order = new ArrayList<Integer>();
    for (int i = 0; i < division.claims.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    var shuffled = order.stream().map(division.claims::get).toList();
    var theirs = FairShare.divide(division.amount, division.unit, division.k, shuffled);
    var ours = division.shares();
    assertThat(theirs).isEqualTo(order.stream().mapToLong(i -> ours[i]).toArray());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void withoutFactorThePastDoesNotCount(long seed) {
    var division = Case.random(seed).with(0);
    var pasts = new Random(seed);
    var others =
        division.claims.stream()
            .map(each ->
                new FairShareClaim(
                    each.name(),
                    each.created(),
                    each.priority(),
                    each.quota(),
                    each.limit(),
                    each.request(),
                    each.weight(),
                    pasts.nextDouble()))
            .toList();
    assertThat(new Case(division.amount, division.unit, 0, others).shares())
        .isEqualTo(division.shares());
  }

  /// In whatever amounts are counted, units included, shares are the same.
  @ParameterizedTest
  @MethodSource("seeds")
  void countedFinerSharesAreTheSame(long seed) {
    var division = Case.random(seed).with(0);
    var finer = division.larger(8, 8 * division.unit).shares();
    assertThat(finer).isEqualTo(LongStream.of(division.shares()).map(share -> share * 8).toArray());
  }

  /// Of twice as much everyone gets twice as much, but for what is no whole unit: at most one unit
  /// for each sibling, those that a lower tier picks up included.
  @ParameterizedTest
  @MethodSource("seeds")
  void ofTwiceAsMuchEveryoneGetsTwiceAsMuch(long seed) {
    var division = Case.random(seed).with(0);
    var once = division.shares();
    var twice = division.larger(2, division.unit).shares();
    long slack = division.unit * division.claims.size();
    for (int i = 0; i < once.length; i++) {
      long off = Math.abs(twice[i] - 2 * once[i]);
      assertThat(off <= slack).as(() -> off + " off in " + division).isTrue();
    }
  }

  private static long deserved(Case division, FairShareClaim claim) {
    long quota = claim.quota() == Queue.UNLIMITED ? division.amount : claim.quota();
    return Math.min(quota, claim.requestable());
  }

  private static long sum(Case division, ToLongFunction<FairShareClaim> of) {
    return division.claims.stream().mapToLong(of).sum();
  }

  private interface Rule {
    boolean holds(FairShareClaim claim, long share);
  }

  private static void each(Case division, Rule rule) {
    var shares = division.shares();
    for (int i = 0; i < shares.length; i++) {
      var claim = division.claims.get(i);
      long share = shares[i];
      assertThat(rule.holds(claim, share))
          .as(() -> claim + " gets " + share + " of " + division)
          .isTrue();
    }
  }
}
