package dev.berth.controllers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.loop.HandCranked;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.request.PodManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/// A ledger that hears of objects as from a watch, workers on a clock that the test turns, and eyes
/// that it can close.
public final class World implements Freshness {
  private static final JsonMapper SHORT =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build();

  public final HandCranked workers = new HandCranked();
  public final List<Runnable> changed = new ArrayList<>();
  public final Ledger ledger =
      new Ledger(LedgerSettings.DEFAULT, () -> changed.forEach(Runnable::run));
  public final List<BiConsumer<Kind, Map<String, Object>>> listener = new ArrayList<>();
  public boolean fresh = true;

  private final Intake intake =
      new Intake(ledger, List.of(Kind.values()), Metrics.unseen(), "default", PodManifest::read);
  private int version;

  @Override
  public boolean isFresh() {
    return fresh;
  }

  @Override
  public String whatIsMissing() {
    return fresh ? "" : "the test";
  }

  public Snapshot snapshot() {
    return ledger.snapshot(workers.time().instant());
  }

  public World node(String name, int gpus) {
    return seen(
        Kind.NODE,
        "{metadata: {name: '%s'}, status: {allocatable: {cpu: '64', memory: '256Gi', pods: '110',"
                .formatted(name)
            + " 'nvidia.com/gpu': '%d'}}}".formatted(gpus));
  }

  /// A pod of ours in the namespace `default`, whose uid is `uid-` and its name.
  ///
  /// @param metadata such as `labels: {…}, annotations: {…}`
  /// @param spec such as `nodeName: 'n1'`; a gated pod has `schedulingGates: [{name:
  ///   'berth.dev/queued'}]`
  /// @param status such as `phase: 'Running'`
  public World pod(String name, String metadata, String spec, String status) {
    return pod(name, "uid-" + name, metadata, spec, status);
  }

  public World pod(String name, String uid, String metadata, String spec, String status) {
    return seen(
        Kind.POD,
        "{metadata: {name: '%s', namespace: 'default', uid: '%s'%s},"
                .formatted(name, uid, after(metadata))
            + " spec: {schedulerName: 'berth', containers: [{name: 'main'}]%s}, status: {%s}}"
                .formatted(after(spec), status));
  }

  /// A gated pod of another namespace.
  public World podOf(String namespace, String name) {
    return seen(
        Kind.POD,
        "{metadata: {name: '%s', namespace: '%s', uid: 'uid-%s-%s'},"
                .formatted(name, namespace, namespace, name)
            + " spec: {schedulerName: 'berth', containers: [{name: 'main'}],"
            + " schedulingGates: [{name: 'berth.dev/queued'}]}, status: {}}");
  }

  /// A Job of the namespace `default`, whose uid is `uid-` and its name.
  public World job(String name, String spec, String status) {
    return seen(
        Kind.JOB,
        "{metadata: {name: '%s', namespace: 'default', uid: 'uid-%s'},".formatted(name, name)
            + " spec: {template: {spec: {restartPolicy: 'Never'}}, %s}, status: {%s}}"
                .formatted(spec, status));
  }

  public World group(String name, int minMember, String status) {
    return seen(
        Kind.POD_GROUP,
        "{metadata: {name: '%s', namespace: 'default', uid: 'uid-%s'}, spec: {minMember: %d},"
                .formatted(name, name, minMember)
            + " status: {%s}}".formatted(status));
  }

  /// @param spec such as `quota: {gpu: 4}`
  /// @param status such as `usage: {gpu: '0.5'}`
  public World queue(String name, String spec, String status) {
    return seen(
        Kind.QUEUE,
        "{metadata: {name: '%s', generation: 1}, spec: {%s}, status: {%s}}"
            .formatted(name, spec, status));
  }

  public World podGone(String name) {
    return podGone(name, "uid-" + name);
  }

  public World podGone(String name, String uid) {
    intake.gone(
        Kind.POD,
        read("{metadata: {name: '%s', namespace: 'default', uid: '%s'}}".formatted(name, uid)));
    return this;
  }

  public World nodeGone(String name) {
    intake.gone(
        Kind.NODE,
        read("{metadata: {name: '%s', resourceVersion: '%d'}}".formatted(name, ++version)));
    return this;
  }

  private static String after(String fields) {
    return fields.isEmpty() ? "" : ", " + fields;
  }

  public World seen(Kind kind, String json) {
    var object = read(json);
    if (object.get("metadata") instanceof Map<?, ?> metadata) {
      @SuppressWarnings("unchecked") // as Jackson made it
      var fields = (Map<String, Object>) metadata;
      fields.put("resourceVersion", Integer.toString(++version));
    }
    intake.seen(kind, object);
    listener.forEach(each -> each.accept(kind, object));
    return this;
  }

  private static Map<String, Object> read(String json) {
    try {
      return SHORT.readValue(json, new TypeReference<Map<String, Object>>() {});
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(json, wrong);
    }
  }
}
