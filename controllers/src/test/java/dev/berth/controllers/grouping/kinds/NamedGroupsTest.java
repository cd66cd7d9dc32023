package dev.berth.controllers.grouping.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Groups of other schedulers, that pods name, and kinds that the configuration describes.
final class NamedGroupsTest {
  @Test
  void aNativePodGroupIsAGangInOneDomain() {
    var shop = Workshop.of("native-podgroup.yaml");
    shop.pod("member-0", "", "schedulingGroup: {podGroupName: native}", "");
    shop.given(shop.object());
    assertThat(shop.told()).containsExactly("native: 2 in /berth.dev/rack", "member-0: native");
    assertThat(shop.gang().key().name()).as("it bears its own name").isEqualTo("native");
  }

  @Test
  void aNativePodGroupOfAnyVersionIsOne() {
    var shop = Workshop.of("native-podgroup.yaml").but("apiVersion: scheduling.k8s.io/v1beta1");
    shop.pod("member-0", "", "schedulingGroup: {podGroupName: native}", "");
    shop.given(shop.object());
    assertThat(shop.told()).contains("member-0: native");
  }

  @Test
  void withThePolicyBasicPodsAreAlone() {
    var shop = Workshop.with();
    shop.pod("p", "", "schedulingGroup: {podGroupName: g}", "");
    shop.given(
        shop.thing(
            "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g}, spec:"
                + " {schedulingPolicy: {basic: {}}}}"));
    assertThat(shop.told()).containsExactly("p: alone");
  }

  @Test
  void aGroupOfTheSchedulerPluginsIsAGang() {
    var shop = Workshop.of("scheduler-plugins-podgroup.yaml");
    shop.pod("member-0", "scheduling.x-k8s.io/pod-group: plugin");
    shop.given(shop.object());
    assertThat(shop.told()).containsExactly("plugin: 2 of research", "member-0: plugin");
  }

  @Test
  void whatAPodNamesIsLookedFor() {
    var shop = Workshop.with();
    var plain = "{apiVersion: v1, kind: Pod, metadata: {name: p, %s}, spec: {%s}}";
    assertThat(GroupSpecResolver.named(shop.thing(plain.formatted("", "")))).isEmpty();
    assertThat(
            GroupSpecResolver.named(
                shop.thing(plain.formatted("labels: {scheduling.x-k8s.io/pod-group: g}", ""))))
        .map(OwnerReference::toString)
        .contains("scheduling.x-k8s.io/ PodGroup default/g ");
    assertThat(
            GroupSpecResolver.named(
                shop.thing(plain.formatted("", "schedulingGroup: {podGroupName: g}"))))
        .map(OwnerReference::toString)
        .contains("scheduling.k8s.io/ PodGroup default/g ");
    assertThat(
            GroupSpecResolver.isOfOurGroup(
                shop.thing(plain.formatted("labels: {berth.dev/pod-group: g}", ""))))
        .as("a group of ours")
        .isTrue();
    assertThat(
            GroupSpecResolver.isOfOurGroup(
                shop.thing(plain.formatted("annotations: {pod-group-name: g}", ""))))
        .as("a group of ours, by KAI's name")
        .isTrue();
  }

  private static final ConfiguredKind FLEET =
      new ConfiguredKind(
          "example.com",
          "Fleet",
          "",
          List.of(
              new ConfiguredKind.Component("flagship", "$.spec.flagships", "role", "flagship"),
              new ConfiguredKind.Component(
                  "frigate", "$.spec.squads[*].frigates", "role", "frigate")),
          "build");

  private static KubeObject fleet(Workshop shop, String version) {
    return shop.thing(
        "{apiVersion: example.com/%s, kind: Fleet, metadata: {name: fleet}, spec: {flagships: 1,"
                .formatted(version)
            + " squads: [{frigates: 2}, {frigates: 3}]}}");
  }

  @Test
  void aDefinitionSaysTheRolesOfAKind() {
    var shop = Workshop.with(FLEET);
    var fleet = fleet(shop, "v7");
    shop.pod("a", "role: flagship", fleet).pod("b", "role: frigate", fleet);
    assertThat(shop.told())
        .containsExactly(
            "fleet: flagship 1, frigate 5", "a: flagship of fleet", "b: frigate of fleet");
  }

  @Test
  void aDefinitionSaysTheMinimumOfAKind() {
    var shop =
        Workshop.with(
            new ConfiguredKind(
                "example.com", "Fleet", "$.spec.squads[1].frigates", List.of(), "train"));
    assertThat(shop.pod("a", "", fleet(shop, "v1")).told()).containsExactly("fleet: 3", "a: fleet");
  }

  @Test
  void aDefinitionThatLeadsNowhereIsAnError() {
    var shop =
        Workshop.with(
            new ConfiguredKind("example.com", "Fleet", "$.spec.nothing", List.of(), "train"));
    assertThat(shop.pod("a", "", fleet(shop, "v1")).told().getFirst())
        .isEqualTo("fleet: 1, wrong: $.spec.nothing");
  }

  @Test
  void aRuleOfOursComesBeforeADefinition() {
    var shop = Workshop.with(new ConfiguredKind("batch.volcano.sh", "Job", "", List.of(), "train"));
    var job = Workshop.of("volcanojob.yaml").object();
    assertThat(shop.pod("p", "", job).told()).contains("volcano: 3");
  }

  @Test
  void aPathIsReadOrRefused() {
    assertThat(JsonPath.isSane("$.spec.a[*].b"))
        .as("$.spec.a[*].b is a path that can be read")
        .isTrue();
    assertThat(JsonPath.isSane(".spec['a.b/c'].d[0]"))
        .as(".spec['a.b/c'].d[0] is a path that can be read")
        .isTrue();
    assertThat(JsonPath.isSane("spec.a")).as("spec.a is a path that can be read").isTrue();
    assertThat(JsonPath.isSane("$..a")).as("$..a is a path that can be read").isFalse();
    assertThat(JsonPath.isSane("$.a[?(@.b)]"))
        .as("$.a[?(@.b)] is a path that can be read")
        .isFalse();
    assertThat(JsonPath.sum(java.util.Map.of("a.b", List.of(1, 2L)), "['a.b'][*]")).hasValue(3);
  }
}
