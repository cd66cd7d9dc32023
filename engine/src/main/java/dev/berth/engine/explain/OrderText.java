package dev.berth.engine.explain;

import dev.berth.engine.fairness.Precedence;
import dev.berth.engine.fairness.Precedence.Standpoint;
import dev.berth.engine.model.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// Why one group comes before another one, with the numbers that were compared.
public final class OrderText {
  /// Parts of a share of 0 are counted as thousandfold amounts; of a share that there is, no part
  /// is as large.
  private static final double OF_NO_SHARE = 100;

  private OrderText() {}

  /// @param group that comes later
  public static String of(Precedence before, PodGroup group, Instant now) {
    var first = before.group().group();
    var its = before.its();
    var others = before.others();
    return switch (before.rule()) {
      case QUEUE_OVER_SHARE ->
          "queue " + its.queue() + " is not over its fair share, queue " + others.queue() + " is";
      case QUEUE_QUOTA ->
          "queue "
              + its.queue()
              + " stays within its quota with it, queue "
              + others.queue()
              + " does not with its next workload";
      case QUEUE_PRIORITY ->
          numbers("priority of queues", its, others, "" + its.priority(), "" + others.priority());
      case QUEUE_NO_SHARE ->
          "queue "
              + others.queue()
              + " would use something of which its share is 0, queue "
              + its.queue()
              + " would not";
      case SHARE_WITH ->
          numbers(
              "part of its share with its next workload",
              its,
              others,
              percent(its.with()),
              percent(others.with()));
      case SHARE_WITHOUT ->
          numbers(
              "part of its share", its, others, percent(its.without()), percent(others.without()));
      case ALLOCATABLE -> "queue " + its.queue() + " has the smaller share";
      case QUEUE_AGE -> "queue " + its.queue() + " is older than queue " + others.queue();
      case QUEUE_NAME -> "all else is equal; by name of the queues";
      case PRIORITY -> "priority " + first.priority() + ", this one " + group.priority();
      case PROGRESS -> "it lacks more of its minimum";
      case AGE -> "it waits longer: " + age(first, now) + ", this one " + age(group, now);
      case NAME -> "all else is equal; by name";
    };
  }

  private static String numbers(
      String what, Standpoint its, Standpoint others, String one, String other) {
    return what + ": " + one + " in " + its.queue() + ", " + other + " in " + others.queue();
  }

  /// `45.0 %`, or `above a share of 0`.
  public static String percent(double part) {
    return part >= OF_NO_SHARE
        ? "above a share of 0"
        : String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  public static String age(PodGroup group, Instant now) {
    var age = Duration.between(group.created(), now);
    return age.isNegative() ? "0s" : Phrases.span(age);
  }
}
