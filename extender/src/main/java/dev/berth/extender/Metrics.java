package dev.berth.extender;

import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.verbs.OutcomeCounter;
import dev.berth.extender.verbs.VerbOutcome;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.function.IntSupplier;

/// What the extender counts. Labels come from enums alone.
public final class Metrics implements OutcomeCounter {
  /// The media type of [#text].
  public static final String CONTENT_TYPE = TextFormat.CONTENT_TYPE_004;

  private final CollectorRegistry registry;
  private final Histogram seconds;
  private final Counter outcomes;
  private final Counter gangs;
  private final Gauge waiting;

  public Metrics(CollectorRegistry registry) {
    this.registry = registry;
    this.seconds =
        Histogram.build("berth_verb_seconds", "Time from question to answer, by verb.")
            .labelNames("verb")
            .buckets(.0001, .00025, .0005, .001, .0025, .005, .01, .025, .1, .5, 2, 10, 30)
            .register(registry);
    this.outcomes =
        Counter.build("berth_verb_outcomes_total", "Answers, by verb and what they said.")
            .labelNames("verb", "outcome")
            .register(registry);
    this.gangs =
        Counter.build("berth_barrier_outcomes_total", "Gangs that opened or closed in bind.")
            .labelNames("outcome")
            .register(registry);
    this.waiting =
        Gauge.build("berth_waiting_binds", "Binds that have not been answered.").create();
    waiting.register(registry);
  }

  /// Where the number of waiting binds comes from.
  public void watch(IntSupplier waitingBinds) {
    waiting.setChild(
        new Gauge.Child() {
          @Override
          public double get() {
            return waitingBinds.getAsInt();
          }
        });
  }

  @Override
  public void counted(Verb verb, VerbOutcome outcome) {
    outcomes.labels(label(verb), outcome.label()).inc();
  }

  /// A gang came together, or did not: grows with `late` where kube-scheduler cannot place all.
  public void gang(BarrierResult how) {
    gangs
        .labels(
            switch (how) {
              case BarrierResult.Open() -> "open";
              case BarrierResult.Closed(BarrierResult.Why why) ->
                  why.name().toLowerCase(Locale.ROOT);
            })
        .inc();
  }

  void took(Verb verb, long nanos) {
    seconds.labels(label(verb)).observe(nanos / 1e9);
  }

  private static String label(Verb verb) {
    return verb.name().toLowerCase(Locale.ROOT);
  }

  /// Everything in the registry, in the text format.
  public String text() {
    var text = new StringWriter(1 << 14);
    try {
      TextFormat.write004(text, registry.metricFamilySamples());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }
}
