package dev.berth.controllers.kai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Resource;
import dev.berth.engine.request.GroupManifest;
import dev.berth.engine.request.QueueManifest;
import dev.berth.engine.request.TopologyManifest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// Each object as KAI's users write it, beside the one of ours that means the same.
final class TranslationTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {resources: {gpu: {quota: 4}}}             | quota  | gpu=4000
          {resources: {gpu: {quota: 0.5}}}           | quota  | gpu=500
          {resources: {cpu: {quota: 1500}}}          | quota  | cpu=1500
          {resources: {memory: {quota: 2000}}}       | quota  | memory=2000000000
          {resources: {gpu: {quota: 0}}}             | quota  | gpu=0
          {}                                         | quota  | gpu=0
          {resources: {gpu: {quota: -1}}}            | quota  | gpu=9223372036854775807
          {resources: {gpu: {limit: 8}}}             | limit  | gpu=8000
          {resources: {gpu: {limit: -1}}}            | limit  | gpu=none
          {resources: {gpu: {limit: 0}}}             | limit  | gpu=0
          {resources: {gpu: {quota: 4}}}             | limit  | gpu=0
          {resources: {gpu: {quota: 4}}}             | limit  | cpu=0
          {resources: {cpu: {limit: -1.0}}}          | limit  | cpu=none
          {resources: {gpu: {overQuotaWeight: 2.5}}} | weight | gpu=2.5
          {resources: {gpu: {quota: 1}}}             | weight | gpu=0.0
          """)
  void anAmountOfAQueueMeans(String spec, String what, String expected) {
    var queue = QueueManifest.read(Translation.queue(theirs("Queue", spec))).orElseThrow();
    assertThat(queue.problems()).isEmpty();
    String resource = expected.split("=", -1)[0];
    var name = new Resource(resource);
    String is =
        switch (what) {
          case "quota" -> Long.toString(queue.quota().of(name));
          case "limit" -> queue.limit().containsKey(name) ? "" + queue.limit().get(name) : "none";
          default -> String.valueOf(queue.weight().get(name));
        };
    assertThat(resource + "=" + is).isEqualTo(expected);
  }

  @Test
  void aQueueKeepsItsPlaceItsPriorityAndItsPatience() {
    var translated =
        Translation.queue(
            theirs(
                "Queue",
                "{displayName: Research, parentQueue: ml, priority: 200, preemptMinRuntime: 10m,"
                    + " reclaimMinRuntime: 1h}"));
    assertThat(QueueManifest.read(translated))
        .isEqualTo(
            QueueManifest.read(
                tree(
                    "{metadata: {name: it, namespace: team, uid: u1, creationTimestamp:"
                        + " '2026-01-01T00:00:00Z', labels: {a: b}}, spec: {parent: ml, priority:"
                        + " 200, quota: {cpu: 0, gpu: 0, memory: 0}, limit: {cpu: 0, gpu: 0,"
                        + " memory: 0}, weight: {cpu: 0, gpu: 0, memory: 0}, preemptMinRuntime:"
                        + " 10m, reclaimMinRuntime: 1h}}")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {minMember: 4, queue: research}      | {minMember: 4, queue: research}
          {minMember: 1, priorityClassName: train, preemptibility: preemptible} | {minMember: 1, priorityClassName: train, preemptibility: Preemptible}
          {minMember: 1, preemptibility: non-preemptible} | {minMember: 1, preemptibility: NonPreemptible}
          {minMember: 1, preemptibility: semi-preemptible} | {minMember: 1, preemptibility: SemiPreemptible}
          {minMember: 1, preemptibility: ''}   | {minMember: 1}
          {minMember: 2, topologyConstraint: {topology: fabric, requiredTopologyLevel: zone, preferredTopologyLevel: rack}} | {minMember: 2, topology: {name: fabric, required: zone, preferred: rack}}
          {minMember: 2, topologyConstraint: {}} | {minMember: 2}
          {minSubGroup: 1, subGroups: [{name: a, minSubGroup: 1}, {name: b, parent: a, minMember: 2, topologyConstraint: {topology: fabric, requiredTopologyLevel: rack}}]} | {minSubGroup: 1, subGroups: [{name: a, minSubGroup: 1}, {name: b, parent: a, minMember: 2, topology: {name: fabric, required: rack}}]}
          {minMember: 1, preemptionDelay: 5m, stalenessGracePeriod: -1s} | {minMember: 1, preemptionDelay: 5m, stalenessGracePeriod: -1s}
          {minMember: 1, markUnschedulable: true, schedulingBackoff: 1} | {minMember: 1}
          {minMember: 1, preemptibility: perhaps} | {minMember: 1, preemptibility: perhaps}
          """)
  void aGroupMeans(String theirs, String ours) {
    var translated = GroupManifest.read(Translation.group(theirs("PodGroup", theirs)));
    assertThat(translated)
        .isEqualTo(
            GroupManifest.read(
                tree(
                    "{metadata: {name: it, namespace: team, uid: u1, creationTimestamp:"
                        + " '2026-01-01T00:00:00Z', labels: {a: b}}, spec: "
                        + ours
                        + "}")));
  }

  @Test
  void aTopologyMeansTheSame() {
    var topology =
        TopologyManifest.read(
                Translation.topology(
                    theirs(
                        "Topology", "{levels: [{nodeLabel: zone, alias: z}, {nodeLabel: rack}]}")))
            .orElseThrow();
    assertThat(topology.levels().toString())
        .isEqualTo("[Level[nodeLabel=zone, alias=z], Level[nodeLabel=rack, alias=]]");
  }

  @Test
  void aTranslationLeavesTheObjectAsItIs() {
    var queue = theirs("Queue", "{parentQueue: ml}");
    String before = queue.toString();
    Translation.queue(queue);
    Translation.group(queue);
    Translation.topology(queue);
    assertThat(queue).hasToString(before);
  }

  private static Map<String, Object> theirs(String kind, String spec) {
    return tree(
        "{kind: %s, metadata: {name: it, namespace: team, uid: u1, resourceVersion: '7',"
                .formatted(kind)
            + " creationTimestamp: '2026-01-01T00:00:00Z', labels: {a: b}}, spec: "
            + spec
            + "}");
  }

  private static Map<String, Object> tree(String yaml) {
    return new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
  }
}
