package dev.berth.cli.config;

import dev.berth.controllers.groups.GroupSettings;
import dev.berth.controllers.queues.QueueSettings;
import dev.berth.engine.fairness.FairShareSettings;
import java.time.Duration;

/// `status`: how often Berth writes what it knows of pods, PodGroups and Queues.
final class StatusConfig {
  private static final Duration DAY = Duration.ofDays(1);

  private StatusConfig() {}

  /// A restart must not forget more than a tenth of a half-life.
  static QueueSettings queues(Section status, FairShareSettings fairShare) {
    var defaults = QueueSettings.DEFAULT;
    var period =
        status.duration(
            "usagePeriod",
            "Past use is written at least so often where there is any, or every tenth of"
                + " `fairShare.halfLife` if that is shorter. A restart may forget so much.",
            defaults.usagePeriod(),
            Duration.ofSeconds(1),
            DAY);
    var tenth = fairShare.halfLife().dividedBy(10);
    return new QueueSettings(
        status.duration(
            "queuePause",
            "Shortest time between two writes for one Queue, and between two looks at all of them.",
            defaults.queuePause(),
            Duration.ofMillis(100),
            DAY),
        status.number(
            "usageStep",
            "part of the cluster",
            "Past use is written, and pending groups are planned anew, when it has changed by this"
                + " part.",
            defaults.usageStep(),
            0.000_001,
            1),
        period.compareTo(tenth) > 0 ? tenth : period);
  }

  static GroupSettings groups(Section status, Duration stalenessGracePeriod) {
    var defaults = GroupSettings.DEFAULT;
    return new GroupSettings(
        status.duration(
            "pause",
            "Shortest time between two writes for one PodGroup, lasting. Three may come at once.",
            defaults.pause(),
            Duration.ZERO,
            DAY),
        status.duration(
            "podReasonDelay",
            "Once a pod has waited so long, its condition and an event tell why.",
            defaults.podReasonDelay(),
            Duration.ZERO,
            DAY),
        status.number(
            "eventsPerSecond",
            "events a second",
            "Most events, lasting: of PodGroups, and as many of pods. A tenth of it for reasons of"
                + " which only the numbers changed.",
            defaults.eventsPerSecond(),
            0),
        status.number(
            "conditionsPerSecond",
            "conditions a second",
            "Most conditions of pods that are written, lasting. A tenth of it for reasons of which"
                + " only the numbers changed.",
            defaults.conditionsPerSecond(),
            0),
        status.number(
            "forecastsPerSecond",
            "statuses a second",
            "Most statuses of PodGroups that are written for another forecast alone, lasting; one"
                + " of a group at most every 5 minutes.",
            defaults.forecastsPerSecond(),
            0),
        stalenessGracePeriod);
  }
}
