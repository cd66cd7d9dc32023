package dev.berth.cli.doctor;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Facts of a cluster, written by hand as YAML in the flow style.
final class Written {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final Map<Source, List<Map<?, ?>>> items = new EnumMap<>(Source.class);
  private final Map<Source, Listing> others = new EnumMap<>(Source.class);
  private final List<AccessAnswer> rights = new ArrayList<>();
  private String version = "v1.36.3";
  private Duration skew = Duration.ZERO;
  private boolean preflight;
  private SchedulerFacts scheduler = SchedulerFacts.NONE;

  static Map<?, ?> tree(String yaml) {
    try {
      return new ObjectMapper(new YAMLFactory()).readValue(yaml, Map.class);
    } catch (JacksonException wrong) {
      throw new IllegalArgumentException(yaml, wrong);
    }
  }

  Written with(Source source, String yaml) {
    items.computeIfAbsent(source, _ -> new ArrayList<>()).add(tree(yaml));
    return this;
  }

  /// A node with eight whole GPUs.
  Written gpuNode(String name) {
    return gpuNode(name, "");
  }

  /// @param labels besides product and memory, ending in a comma
  Written gpuNode(String name, String labels) {
    return with(
        Source.NODES,
        "{metadata: {name: "
            + name
            + ", labels: {"
            + labels
            + "nvidia.com/gpu.product: H100, nvidia.com/gpu.memory: '81559'}}, status:"
            + " {allocatable: {nvidia.com/gpu: '8'}, conditions: [{type: Ready, status: 'True'}],"
            + " nodeInfo: {bootID: b-1, osImage: Ubuntu 24.04, kubeletVersion: v1.36.3,"
            + " containerRuntimeVersion: 'containerd://2.2.2'}}}");
  }

  /// The GPU Operator's default from 25.10 on.
  Written operator() {
    return with(
        Source.CLUSTER_POLICIES,
        "{metadata: {name: cluster-policy, labels: {app.kubernetes.io/version: v25.10.1}}, spec:"
            + " {cdi: {enabled: true}}}");
  }

  Written runtimeClass() {
    return with(Source.RUNTIME_CLASSES, "{metadata: {name: nvidia}, handler: nvidia}");
  }

  Written unread(Source source, String why) {
    others.put(source, Listing.failed(why));
    return this;
  }

  Written notServed(Source source) {
    others.put(source, Listing.NOT_SERVED);
    return this;
  }

  Written right(Right right, boolean allowed) {
    rights.add(new AccessAnswer(right, allowed, ""));
    return this;
  }

  Written rightUnasked(Right right, String why) {
    rights.add(new AccessAnswer(right, false, why));
    return this;
  }

  Written version(String text) {
    version = text;
    return this;
  }

  Written skew(Duration ahead) {
    skew = ahead;
    return this;
  }

  Written preflight() {
    preflight = true;
    return this;
  }

  Written scheduler(SchedulerFacts facts) {
    scheduler = facts;
    return this;
  }

  ClusterFacts facts() {
    var listings = new EnumMap<Source, Listing>(Source.class);
    for (Source source : Source.values()) {
      listings.put(source, Listing.of(items.getOrDefault(source, List.of())));
    }
    listings.putAll(others);
    return new ClusterFacts(
        "https://127.0.0.1:6443", version, NOW, skew, preflight, listings, rights, scheduler);
  }

  /// `ERROR injection/NoRuntimeClass node a`, one for each that is not OK.
  static List<String> wrong(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.severity() != Severity.OK)
        .map(finding -> finding.severity() + " " + finding.check() + " " + finding.object())
        .toList();
  }

  /// The ids of what is as it should be.
  static List<String> fine(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.severity() == Severity.OK)
        .map(Finding::check)
        .toList();
  }
}
