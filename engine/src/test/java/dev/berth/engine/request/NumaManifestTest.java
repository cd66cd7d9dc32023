package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a NodeResourceTopology says of its node.
class NumaManifestTest {
  private static final String ZONE =
      "zones: [{name: node-0, type: Node, resources: [{name: nvidia.com/gpu, capacity: \"4\","
          + " allocatable: \"4\", available: \"2\"}]}]";

  private static NumaManifest.Reading reading(String fields) {
    return NumaManifest.read(
            Flow.tree("{metadata: {name: n1, resourceVersion: \"7\"}, " + fields + "}"))
        .orElseThrow();
  }

  private static Numa read(String fields) {
    var reading = reading(fields);
    assertThat(reading.problems()).isEmpty();
    return reading.seen().numa();
  }

  private static String attributes(String policy, String scope) {
    return "attributes: [{name: nodeTopologyPodsFingerprint, value: pfp0v001},"
        + (" {name: topologyManagerScope, value: " + scope + "},")
        + (" {name: topologyManagerPolicy, value: " + policy + "}]");
  }

  @Test
  void itIsOfTheNodeOfItsNameAndTellsItsZones() {
    var seen =
        reading(
                attributes("single-numa-node", "container")
                    + """
                    , zones: [
                      {name: node-0, type: Node, costs: [{name: node-0, value: 10}, {name: node-1, value: 21}],
                       resources: [{name: cpu, capacity: "64", allocatable: "62", available: "40500m"},
                                   {name: memory, capacity: "2Gi", allocatable: "1Gi", available: "1Mi"},
                                   {name: nvidia.com/gpu, capacity: 4, allocatable: 4, available: 2}]},
                      {name: node-1, type: Node, resources: [{name: cpu, capacity: "64", allocatable: "64"}]},
                      {name: socket-0, type: Package, resources: [{name: cpu, capacity: "128", allocatable: "128"}]}]
                    """)
            .seen();
    assertThat(seen.node()).isEqualTo(new NodeName("n1"));
    assertThat(seen.version()).isEqualTo(7);
    assertThat(seen.numa().toString())
        .isEqualTo(
            "Numa[policy=SINGLE_NUMA_NODE, scope=CONTAINER, zones=["
                + "Zone[allocatable={cpu=62000, memory=1073741824, nvidia.com/gpu=4},"
                + " available={cpu=40500, memory=1048576, nvidia.com/gpu=2}],"
                + " Zone[allocatable={cpu=64000}, available={cpu=64000}]]]");
  }

  @ParameterizedTest
  @CsvSource({
    "single-numa-node, container, SINGLE_NUMA_NODE, CONTAINER",
    "single-numa-node, pod, SINGLE_NUMA_NODE, POD",
    "restricted, pod, RESTRICTED, POD",
    "best-effort, container, BEST_EFFORT, CONTAINER",
    "none, pod, NONE, CONTAINER",
  })
  void attributesSayPolicyAndScope(String policy, String scope, Policy is, Scope of) {
    var numa = read(attributes(policy, scope) + ", topologyPolicies: [BestEffort], " + ZONE);
    assertThat(numa.policy()).isEqualTo(is);
    assertThat(numa.scope()).isEqualTo(of);
    assertThat(numa.isNone()).as("says nothing").isEqualTo(is == Policy.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "SingleNUMANodeContainerLevel, SINGLE_NUMA_NODE, CONTAINER",
    "SingleNUMANodePodLevel, SINGLE_NUMA_NODE, POD",
    "Restricted, RESTRICTED, CONTAINER",
    "RestrictedContainerLevel, RESTRICTED, CONTAINER",
    "RestrictedPodLevel, RESTRICTED, POD",
    "BestEffort, BEST_EFFORT, CONTAINER",
    "BestEffortContainerLevel, BEST_EFFORT, CONTAINER",
    "BestEffortPodLevel, BEST_EFFORT, POD",
    "None, NONE, CONTAINER",
  })
  void withoutThemTheOldWordSaysIt(String word, Policy is, Scope of) {
    var numa = read("topologyPolicies: [" + word + "], " + ZONE);
    assertThat(numa.policy()).isEqualTo(is);
    assertThat(numa.scope()).isEqualTo(of);
  }

  @Test
  void withoutAPolicyOrZonesItSaysNothing() {
    assertThat(read(ZONE)).isEqualTo(Numa.NONE);
    assertThat(read(attributes("restricted", "pod"))).isEqualTo(Numa.NONE);
    assertThat(NumaManifest.read(Flow.tree("{" + ZONE + "}"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          attributes: [{name: topologyManagerPolicy, value: strict}] | attributes[0].topologyManagerPolicy is "strict" on it, but it is single-numa-node, restricted, best-effort or none. The exporter writes what the kubelet is configured to.
          attributes: [{name: topologyManagerScope, value: node}] | attributes[0].topologyManagerScope is "node" on it, but it is container or pod. The exporter writes what the kubelet is configured to.
          topologyPolicies: [Strict] | topologyPolicies[0] is "Strict" on it, but it is one of the policies of topology.node.k8s.io/v1alpha2, like SingleNUMANodeContainerLevel. Let the exporter write the attribute topologyManagerPolicy.
          topologyPolicies: [Restricted], zones: [{type: Node, resources: [{name: cpu, allocatable: many}]}] | zones[0].resources[0].allocatable is "many" on it, but it is an amount of 0 or more, like "4" or "64Gi". The exporter writes it.
          topologyPolicies: [Restricted], zones: [{type: Node, resources: [{name: cpu, allocatable: "4", available: "-1"}]}] | zones[0].resources[0].available is "-1" on it, but it is an amount of 0 or more, like "4" or "64Gi". The exporter writes it.
          topologyPolicies: [Restricted], zones: [{type: Node, resources: [{name: cpu}]}] | zones[0].resources[0].allocatable is "" on it, but it is an amount of 0 or more, like "4" or "64Gi". The exporter writes it.
          topologyPolicies: [Restricted], zones: everywhere | zones is "everywhere" on it, but it is a list of objects.
          """)
  void whatCannotBeMeantIsNamedAndSaysNothing(String fields, String told) {
    var reading = reading(fields.contains("zones") ? fields : fields + ", " + ZONE);
    assertThat(reading.problems().getFirst().on("it")).isEqualTo(told);
    assertThat(reading.seen().numa()).isEqualTo(Numa.NONE);
  }
}
