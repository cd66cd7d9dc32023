package dev.berth.engine.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Siblings that divide some devices, in a few words: `devices(7).queue("a", quota(2).asks(4))`.
final class Division {
  static final double UNLIMITED = Double.POSITIVE_INFINITY;

  private final long amount;
  private final long unit;
  private double k;
  private final List<FairShareClaim> siblings = new ArrayList<>();

  private Division(long amount, long unit) {
    this.amount = amount;
    this.unit = unit;
  }

  /// Amounts are devices: 0.5 is half of one.
  static Division devices(double amount) {
    return new Division(millis(amount), 1000);
  }

  Division k(double factor) {
    k = factor;
    return this;
  }

  Division queue(String name, Sibling sibling) {
    siblings.add(sibling.named(name));
    return this;
  }

  /// In the order in which the queues were named.
  void gives(double... devices) {
    var expected = new ArrayList<Double>();
    for (double each : devices) {
      expected.add(each);
    }
    var shares = new ArrayList<Double>();
    for (long share : FairShare.divide(amount, unit, k, siblings)) {
      shares.add(share / 1000.0);
    }
    assertThat(shares).isEqualTo(expected);
  }

  private static long millis(double devices) {
    return devices == UNLIMITED ? Queue.UNLIMITED : Math.round(devices * 1000);
  }

  /// Without quota, limit and past use, of weight 1, and as old as all others.
  static Sibling asks(double devices) {
    var sibling = new Sibling();
    sibling.request = devices;
    return sibling;
  }

  static final class Sibling {
    private double quota;
    private double limit = UNLIMITED;
    private double request;
    private double weight = 1;
    private double usage;
    private int priority = 100;
    private int daysOld;

    Sibling quota(double devices) {
      quota = devices;
      return this;
    }

    Sibling limit(double devices) {
      limit = devices;
      return this;
    }

    Sibling weight(double value) {
      weight = value;
      return this;
    }

    Sibling used(double fraction) {
      usage = fraction;
      return this;
    }

    Sibling priority(int value) {
      priority = value;
      return this;
    }

    Sibling daysOld(int days) {
      daysOld = days;
      return this;
    }

    private FairShareClaim named(String name) {
      return new FairShareClaim(
          new QueueName(name),
          Instant.EPOCH.minusSeconds(86_400L * daysOld),
          priority,
          millis(quota),
          millis(limit),
          millis(request),
          weight,
          usage);
    }
  }
}
