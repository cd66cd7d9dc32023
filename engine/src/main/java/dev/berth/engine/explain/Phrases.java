package dev.berth.engine.explain;

import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.request.WellKnownNames;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Parts of sentences.
public final class Phrases {
  /// What makes a workload preemptible, in its PodGroup.
  static final String PREEMPTIBLE_SPEC = "spec.preemptibility: Preemptible in its PodGroup";

  /// What makes a workload preemptible, in its labels.
  static final String PREEMPTIBLE_LABEL =
      "label " + WellKnownNames.PREEMPTIBILITY + ": preemptible";

  private Phrases() {}

  /// A problem is a sentence of its own; here it is part of one.
  static String withoutFullStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  /// To the second, in UTC.
  static String moment(Instant when) {
    return when.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// `1h30m`, as users write it.
  public static String span(Duration duration) {
    var seconds = duration.truncatedTo(ChronoUnit.SECONDS);
    return seconds.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }

  /// `1 pod`, `2 pods`.
  public static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /// Whose plans a pause counts: `2 plans of it`, `plans of 3 workloads of namespace ml`.
  static String plans(Backoff backoff) {
    return backoff.namespace().isEmpty()
        ? count(backoff.failures(), "plan") + " of it"
        : "plans of "
            + count(backoff.failures(), "workload")
            + " of namespace "
            + backoff.namespace();
  }

  /// The first names, and how many there are besides.
  public static String first(List<String> names, int most) {
    int more = names.size() - most;
    String told = String.join(", ", names.subList(0, Math.min(most, names.size())));
    return more > 0 ? told + " and " + more + " more" : told;
  }
}
