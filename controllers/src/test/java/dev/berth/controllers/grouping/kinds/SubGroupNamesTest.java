package dev.berth.controllers.grouping.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Roles of a workload that make sub-groups of one name: told, since pods tell theirs by name.
final class SubGroupNamesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ray.io/v1, kind: RayCluster | {workerGroupSpecs: [{groupName: a, replicas: 1}, {groupName: a, replicas: 2}]} | ray.io/group: a | a
          ray.io/v1, kind: RayCluster | {workerGroupSpecs: [{groupName: headgroup, replicas: 1}]} | ray.io/group: a | headgroup
          ray.io/v1, kind: RayCluster | {workerGroupSpecs: [{groupName: surplus, replicas: 1}]} | a: b | surplus
          jobset.x-k8s.io/v1alpha2, kind: JobSet | {replicatedJobs: [{name: a}, {name: a-replica-0}]} | jobset.sigs.k8s.io/replicatedjob-name: a, jobset.sigs.k8s.io/job-index: '0' | a-replica-0
          """)
  void equalNamesAreTold(String kind, String spec, String labels, String name) {
    var shop = Workshop.with();
    var owner = shop.thing("{apiVersion: %s, metadata: {name: w}, spec: %s}".formatted(kind, spec));
    var gang = shop.pod("p", labels, owner).gang();
    assertThat(gang.problems())
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.field()).isEqualTo("sub-group name");
          assertThat(problem.value()).isEqualTo(name);
          assertThat(problem.rule())
              .isEqualTo("another sub-group is called so. Rename one of them.");
          assertThat(problem.object()).endsWith(" default/w");
        });
    assertThat(gang.subGroups()).doesNotHaveDuplicates();
  }
}
