package dev.berth.cli.doctor;

import java.util.List;
import java.util.Map;

/// kube-scheduler's configuration, and what answers at the addresses of its extenders.
///
/// @param from such as `ConfigMap berth-system/berth-scheduler`; empty = none was found
/// @param failure why it could not be read; empty = it was
/// @param replies one for each extender; none = it was not tried
public record SchedulerFacts(
    String from, Map<?, ?> config, String failure, List<ExtenderReply> replies) {
  static final SchedulerFacts NONE = new SchedulerFacts("", Map.of(), "", List.of());

  public SchedulerFacts {
    replies = List.copyOf(replies);
  }
}
