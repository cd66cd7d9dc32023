package dev.berth.cli.config;

import dev.berth.controllers.lease.LeaseSettings;
import java.time.Duration;

/// `lease`: how replicas agree on the one that leads.
final class LeaseConfig {
  private LeaseConfig() {}

  /// Invalid times are told, and replaced by the defaults.
  static LeaseSettings read(Section section) {
    var defaults = LeaseSettings.DEFAULT;
    var minute = Duration.ofMinutes(1);
    var least = Duration.ofMillis(100);
    var duration =
        section.duration(
            "duration",
            "Whole seconds. A leader that is gone is waited for until so long after its last"
                + " renewal. No more than `plan.deadline`.",
            defaults.duration(),
            least,
            minute);
    var deadline =
        section.duration(
            "renewDeadline",
            "Less than `lease.duration`. A leader begins writes until so long after its last"
                + " renewal; what lies between the two is the longest that a write may take.",
            defaults.renewDeadline(),
            least,
            minute);
    var retry =
        section.duration(
            "retryPeriod",
            "Less than `lease.renewDeadline`. The time between two renewals, and between two looks"
                + " of a standby.",
            defaults.retryPeriod(),
            least,
            minute);
    boolean whole = duration.toNanosPart() == 0;
    boolean later = deadline.compareTo(duration) < 0;
    boolean often = retry.compareTo(deadline) < 0;
    section.unless(whole, "duration", Section.text(duration), "whole seconds, like 15s");
    section.unless(
        later,
        "renewDeadline",
        Section.text(deadline),
        "less than lease.duration (" + Section.text(duration) + ")");
    section.unless(
        often,
        "retryPeriod",
        Section.text(retry),
        "less than lease.renewDeadline (" + Section.text(deadline) + ")");
    boolean meant = whole && later && often;
    return new LeaseSettings(
        section.flag(
            "enabled",
            "`false`, or `berth serve --no-lease`: leads at once. Only where no other Berth runs in"
                + " the cluster.",
            defaults.enabled()),
        section.text("namespace", "Namespace of the Lease.", defaults.namespace()),
        section.text(
            "name", "Name of the Lease. Replicas that share it share one leader.", defaults.name()),
        meant ? duration : defaults.duration(),
        meant ? deadline : defaults.renewDeadline(),
        meant ? retry : defaults.retryPeriod());
  }
}
