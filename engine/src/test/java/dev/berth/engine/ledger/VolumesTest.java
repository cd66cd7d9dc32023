package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.view.Provisioning;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.PersistentVolumeClaim.State;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.StorageClass;
import dev.berth.engine.model.VolumeKind;
import dev.berth.engine.model.VolumeLack;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What its volumes mean for a pod, from what is told of claims, volumes and classes.
class VolumesTest {
  private static final List<Term> HERE = List.of(new Term(List.of(in("zone", "a"))));
  private static final List<Term> THERE = List.of(new Term(List.of(in("zone", "b"))));

  private final Told told = new Told();
  private long version = 1;

  static Expression in(String key, String... values) {
    return new Expression(false, key, Operator.IN, List.of(values));
  }

  @BeforeEach
  void aClaimOfAnotherPod() {
    claim("other", State.BOUND, "other");
  }

  private boolean claim(String name, State state, String volume) {
    return claim(name, state, volume, "");
  }

  private boolean claim(String name, State state, String volume, String storageClass) {
    return claim(name, state, volume, storageClass, NodeName.NONE);
  }

  private boolean claim(
      String name, State state, String volume, String storageClass, NodeName selectedNode) {
    return claim(name, state, volume, storageClass, selectedNode, false);
  }

  private boolean claim(
      String name,
      State state,
      String volume,
      String storageClass,
      NodeName selectedNode,
      boolean onePod) {
    var key = new PersistentVolumeClaim.Key("default", name);
    return told.ledger.record(
        new Fact.VolumeClaimSeen(
            new PersistentVolumeClaim(
                key, version++, state, volume, storageClass, selectedNode, onePod)));
  }

  private boolean onePodClaim(String name) {
    return claim(name, State.BOUND, name, "", NodeName.NONE, true);
  }

  private boolean volume(String name, List<Term> nodes) {
    return told.ledger.record(new Fact.VolumeSeen(new PersistentVolume(name, version++, nodes)));
  }

  private boolean storageClass(String name, boolean waitsForPod, List<Term> nodes) {
    return told.ledger.record(
        new Fact.StorageClassSeen(new StorageClass(name, version++, waitsForPod, nodes)));
  }

  private Pod shown(String pod) {
    return told.snapshot().groups().stream()
        .flatMap(group -> group.members().stream())
        .map(member -> member.pod())
        .filter(it -> it.uid().equals(uid(pod)))
        .findFirst()
        .orElseThrow();
  }

  private List<VolumeLack> lacks(String pod) {
    return shown(pod).traits().volumes().stream().map(Pod.VolumeRef::lack).toList();
  }

  private List<List<Term>> reach(String pod) {
    return shown(pod).asks().constraints().volumes();
  }

  @Test
  void aBoundClaimLeadsToTheNodesOfItsVolume() {
    told.sees(pod("x").volumes("data"));
    assertThat(lacks("x")).containsExactly(VolumeLack.MISSING);
    assertThat(claim("data", State.BOUND, "v")).as("news").isTrue();
    assertThat(lacks("x")).as("no volume was seen").containsExactly(VolumeLack.NONE);
    assertThat(reach("x")).isEmpty();
    assertThat(volume("v", HERE)).as("news").isTrue();
    assertThat(reach("x")).containsExactly(HERE);
    assertThat(volume("v", THERE)).as("news").isTrue();
    assertThat(reach("x")).containsExactly(THERE);
    told.ledger.record(new Fact.VolumeGone("v", version++));
    assertThat(reach("x")).isEmpty();
  }

  /// As of `kubernetes.io/no-provisioner`.
  private void localClass() {
    told.ledger.record(
        new Fact.StorageClassSeen(new StorageClass("local", version++, true, false, List.of())));
  }

  private boolean localVolume(String name, String claim) {
    return localVolume(name, claim, true);
  }

  private boolean localVolume(String name, String claim, boolean isAvailable) {
    var meant = new PersistentVolumeClaim.Key("default", claim);
    return told.ledger.record(
        new Fact.VolumeSeen(
            new PersistentVolume(
                name,
                version++,
                List.of(),
                "local",
                Optional.of(meant).filter(_ -> !claim.isEmpty()),
                isAvailable)));
  }

  @Test
  void aVolumeIsFreeOnceItIsAvailable() {
    localClass();
    claim("data", State.NOT_BOUND, "", "local");
    told.sees(pod("x").volumes("data"));
    localVolume("v", "", false);
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_FREE_VOLUME);
    assertThat(localVolume("v", "")).as("news").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
    assertThat(localVolume("v", "", false)).as("it is being deleted").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_FREE_VOLUME);
  }

  @Test
  void aClassThatMakesNoVolumesNeedsAFreeOne() {
    volume("other", List.of());
    localClass();
    claim("data", State.NOT_BOUND, "", "local");
    told.sees(pod("x").volumes("data"));
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_FREE_VOLUME);
    assertThat(localVolume("v", "")).as("news").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
    assertThat(localVolume("v", "other")).as("another claim has it").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_FREE_VOLUME);
    assertThat(localVolume("w", "data")).as("it is meant for this claim").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
    told.ledger.record(new Fact.VolumeGone("w", version++));
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_FREE_VOLUME);
  }

  @Test
  void aFreeVolumeThatIsMadeAnewIsOfItsNewClassAlone() {
    volume("v", List.of());
    localClass();
    claim("data", State.NOT_BOUND, "", "local");
    told.sees(pod("x").volumes("data"));
    assertThat(localVolume("v", "")).as("the fact changes the ledger").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
    assertThat(volume("v", List.of())).as("of no class now").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_FREE_VOLUME);
  }

  @Test
  void whereVolumesAreNotKnownOneMayBeFree() {
    localClass();
    claim("data", State.NOT_BOUND, "", "local");
    told.sees(pod("x").volumes("data"));
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
    told.ledger.record(new Fact.VolumesRead(VolumeKind.VOLUME, true));
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_FREE_VOLUME);
    told.ledger.record(new Fact.VolumesRead(VolumeKind.VOLUME, false));
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
  }

  @Test
  void itMayAllBeThereBeforeThePod() {
    volume("v", HERE);
    claim("data", State.BOUND, "v");
    told.sees(pod("x").volumes("data"));
    assertThat(reach("x")).containsExactly(HERE);
    told.sees(pod("x").volumes("data").priority(7).version(2));
    assertThat(reach("x")).as("seen again").containsExactly(HERE);
  }

  @Test
  void allVolumesOfAPodMustBeReached() {
    volume("v", HERE);
    volume("w", THERE);
    claim("data", State.BOUND, "v");
    claim("logs", State.BOUND, "w");
    told.sees(pod("x").volumes("data", "logs", "data"));
    assertThat(reach("x")).containsExactly(HERE, THERE);
  }

  @Test
  void podsWithEqualReachAskAlike() {
    Stream.of("x", "y")
        .forEach(name -> {
          volume("v-" + name, HERE);
          claim("c-" + name, State.BOUND, "v-" + name);
          told.sees(pod(name).volumes("c-" + name));
        });
    assertThat(shown("x").asks()).isSameAs(shown("y").asks());
  }

  @Test
  void anUnboundClaimWaitsForItsPodWhereItsClassSaysSo() {
    claim("data", State.NOT_BOUND, "", "local");
    told.sees(pod("x").volumes("data"));
    assertThat(lacks("x")).as("there is no such class").containsExactly(VolumeLack.NO_CLASS);
    storageClass("local", true, HERE);
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
    assertThat(reach("x")).containsExactly(HERE);
    storageClass("local", false, HERE);
    assertThat(lacks("x")).containsExactly(VolumeLack.NOT_BOUND);
    told.ledger.record(new Fact.StorageClassGone("local", version++));
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_CLASS);
    claim("data", State.NOT_BOUND, "", "");
    assertThat(lacks("x")).as("of no class").containsExactly(VolumeLack.NOT_BOUND);
    claim("data", State.BOUND, "v", "local");
    assertThat(lacks("x")).containsExactly(VolumeLack.NONE);
  }

  /// kube-scheduler offers no other node then, in the words of a volume that is not to be found.
  @Test
  void aClaimForWhichANodeIsSelectedKeepsItsPodFromOthers() {
    storageClass("slow", true, THERE);
    told.sees(pod("p").volumes("data"));
    claim("data", State.NOT_BOUND, "", "slow", at("n1"));
    assertThat(reach("p"))
        .containsExactly(
            List.of(
                new Term(
                    List.of(new Expression(true, "metadata.name", Operator.IN, List.of("n1"))))));
    claim("data", State.NOT_BOUND, "", "slow", NodeName.NONE);
    assertThat(reach("p")).containsExactly(THERE);
    volume("disk", HERE);
    claim("data", State.BOUND, "disk", "slow", at("n1"));
    assertThat(reach("p")).as("it stays on the claim").containsExactly(HERE);
  }

  @Test
  void aPlannedPodWhoseVolumeIsProvisionedIsToldUntilItIsThere() {
    told.nodes(4, "n1");
    storageClass("local", true, List.of());
    told.sees(pod("x").volumes("data"));
    told.sees(pod("waiting").volumes("data"));
    claim("data", State.NOT_BOUND, "", "local");
    told.assumed("x", Placement.on(at("n1")));
    assertThat(told.ledger.provisioning()).as("no node is selected").isEmpty();
    claim("data", State.NOT_BOUND, "", "local", at("n1"));
    assertThat(told.ledger.provisioning())
        .containsExactly(
            new Provisioning(
                new GroupKey("default", "x"),
                uid("x"),
                new PersistentVolumeClaim.Key("default", "data"),
                "local",
                at("n1")));
    claim("data", State.BOUND, "v", "local", at("n1"));
    assertThat(told.ledger.provisioning()).isEmpty();
    claim("data", State.NOT_BOUND, "", "local", at("n1"));
    told.ledger.record(
        new Fact.VolumeClaimGone(new PersistentVolumeClaim.Key("default", "data"), version++));
    assertThat(told.ledger.provisioning()).as("the claim is gone").isEmpty();
  }

  /// kube-scheduler takes it for one that binds at once.
  @Test
  void anUnboundClaimThatNamesItsVolumeWaitsForNoPod() {
    storageClass("local", true, List.of());
    told.sees(pod("x").volumes("data"));
    claim("data", State.NOT_BOUND, "v", "local");
    assertThat(lacks("x")).containsExactly(VolumeLack.NAMES_VOLUME);
    claim("data", State.NOT_BOUND, "", "local");
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
  }

  @Test
  void aClaimBoundToAVolumeThatDoesNotExistKeepsThePodFromEveryNode() {
    told.sees(pod("x").volumes("data"));
    claim("data", State.BOUND, "v");
    assertThat(lacks("x")).as("no volume was seen").containsExactly(VolumeLack.NONE);
    assertThat(volume("another", HERE)).as("news").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_VOLUME);
    assertThat(volume("v", HERE)).as("news").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.NONE);
    told.ledger.record(new Fact.VolumeGone("v", version++));
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_VOLUME);
    assertThat(told.ledger.record(new Fact.VolumeGone("another", version++))).as("news").isTrue();
    assertThat(lacks("x")).as("none at all").containsExactly(VolumeLack.NONE);
  }

  /// The watch knows whether there is no object, or whether it may not list.
  @Test
  void whereAKindIsReadWhatIsNotThereIsMissing() {
    told.ledger.record(
        new Fact.VolumeClaimGone(new PersistentVolumeClaim.Key("default", "other"), version++));
    told.sees(pod("x").volumes("data"));
    assertThat(lacks("x")).containsExactly(VolumeLack.NONE);
    assertThat(told.ledger.record(new Fact.VolumesRead(VolumeKind.CLAIM, true)))
        .as("the fact changes the ledger")
        .isTrue();
    assertThat(told.ledger.record(new Fact.VolumesRead(VolumeKind.CLAIM, true)))
        .as("the fact changes the ledger")
        .isFalse();
    assertThat(lacks("x")).containsExactly(VolumeLack.MISSING);
    claim("data", State.BOUND, "v");
    assertThat(lacks("x")).containsExactly(VolumeLack.NONE);
    told.ledger.record(new Fact.VolumesRead(VolumeKind.VOLUME, true));
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_VOLUME);
    told.ledger.record(new Fact.VolumesRead(VolumeKind.VOLUME, false));
    assertThat(lacks("x")).as("not to be read any more").containsExactly(VolumeLack.NONE);
  }

  @Test
  void whereClassesMayNotBeReadAClaimMayWaitForItsPod() {
    told.sees(pod("x").volumes("data"));
    claim("data", State.NOT_BOUND, "", "local");
    assertThat(lacks("x")).containsExactly(VolumeLack.NO_CLASS);
    told.ledger.record(new Fact.VolumesRead(VolumeKind.CLASS, false));
    assertThat(lacks("x")).containsExactly(VolumeLack.TO_COME);
  }

  /// A change of a claim that thousands of pods name must not delay all pods.
  @Test
  void oneSnapshotLooksAtSomePodsOfAClaimAloneAndALaterOneAtTheRest() {
    for (int i = 0; i < 300; i++) {
      told.sees(pod("x-" + i).volumes("data"));
    }
    claim("data", State.BOUND, "");
    assertThat(lost()).isZero();
    assertThat(lost()).isZero();
    int wakes = told.wakes.get();
    claim("data", State.LOST, "");
    assertThat(lost()).isEqualTo(256);
    assertThat(told.wakes).as("somebody comes for the rest").hasValue(wakes + 2);
    assertThat(lost()).isEqualTo(300);
    assertThat(told.wakes).hasValue(wakes + 2);
  }

  private long lost() {
    return told.snapshot().groups().stream()
        .flatMap(group -> group.members().stream())
        .flatMap(member -> member.pod().traits().volumes().stream())
        .filter(volume -> volume.lack() == VolumeLack.LOST)
        .count();
  }

  @Test
  void aLostOrDeletedClaimKeepsThePodFromEveryNode() {
    told.sees(pod("x").volumes("data"));
    claim("data", State.LOST, "v");
    assertThat(lacks("x")).containsExactly(VolumeLack.LOST);
    claim("data", State.DELETED, "v");
    assertThat(lacks("x")).containsExactly(VolumeLack.DELETED);
    told.ledger.record(
        new Fact.VolumeClaimGone(new PersistentVolumeClaim.Key("default", "data"), version++));
    assertThat(lacks("x")).containsExactly(VolumeLack.MISSING);
  }

  /// As where claims may not be read, or a dump of a cluster leaves them out.
  @Test
  void whereThereAreNoClaimsAtAllNoneIsMissing() {
    var other = new PersistentVolumeClaim.Key("default", "other");
    told.sees(pod("x").volumes("data"));
    assertThat(lacks("x")).containsExactly(VolumeLack.MISSING);
    assertThat(told.ledger.record(new Fact.VolumeClaimGone(other, version++)))
        .as("the fact changes the ledger")
        .isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.NONE);
    assertThat(claim("other", State.NOT_BOUND, "")).as("news").isTrue();
    assertThat(lacks("x")).containsExactly(VolumeLack.MISSING);
  }

  @Test
  void whatMeansNothingForAnyPodIsNoNews() {
    told.sees(pod("x").volumes("data"));
    volume("v", HERE);
    claim("data", State.BOUND, "v");
    int wakes = told.wakes.get();
    assertThat(claim("data", State.BOUND, "v")).as("said again").isFalse();
    assertThat(volume("v", HERE)).as("said again").isFalse();
    assertThat(volume("far", THERE)).as("a volume of nobody").isFalse();
    assertThat(claim("nobodys", State.LOST, "")).as("a claim of nobody").isFalse();
    assertThat(told.wakes).hasValue(wakes);
  }

  @Test
  void aPodThatWentIsNotLookedAt() {
    told.sees(pod("x").volumes("data"));
    told.farewell("x");
    assertThat(claim("data", State.BOUND, "v")).as("the fact changes the ledger").isFalse();
  }

  @Test
  void oneOfThePodsOfAOnePodClaimMayBePlaced() {
    onePodClaim("data");
    Stream.of("y", "x", "z").forEach(name -> told.sees(pod(name).volumes("data")));
    assertThat(lacks("x")).as("of equal age, the first by name").containsExactly(VolumeLack.NONE);
    assertThat(lacks("y")).containsExactly(VolumeLack.OTHER_POD);
    assertThat(lacks("z")).containsExactly(VolumeLack.OTHER_POD);
    told.farewell("x");
    assertThat(lacks("y")).containsExactly(VolumeLack.NONE);
    assertThat(lacks("z")).containsExactly(VolumeLack.OTHER_POD);
  }

  @Test
  void whoseTurnItIsDependsOnNoUidWhereNamesDiffer() {
    onePodClaim("data");
    told.sees(pod("y").uid("1-uid").volumes("data"));
    told.sees(pod("x").uid("2-uid").volumes("data"));
    assertThat(lacks("2")).as("of x").containsExactly(VolumeLack.NONE);
    assertThat(lacks("1")).as("of y").containsExactly(VolumeLack.OTHER_POD);
  }

  @Test
  void aPodOnANodeUsesItsOnePodClaimUntilItIsOver() {
    onePodClaim("data");
    told.sees(pod("x").volumes("data"));
    told.sees(pod("z").volumes("data").scheduler("default-scheduler").on("n"));
    assertThat(lacks("x")).containsExactly(VolumeLack.OTHER_POD);
    told.sees(pod("z").volumes("data").scheduler("default-scheduler").on("n").leaving().version(2));
    assertThat(lacks("x")).as("it is still there").containsExactly(VolumeLack.OTHER_POD);
    told.sees(
        pod("z").volumes("data").scheduler("default-scheduler").on("n").over(true).version(3));
    assertThat(lacks("x")).containsExactly(VolumeLack.NONE);
  }

  @Test
  void aPodThatIsDeletedBeforeItHasANodeLeavesItsTurn() {
    onePodClaim("data");
    told.sees(pod("x").volumes("data"));
    told.sees(pod("y").volumes("data"));
    told.sees(pod("x").volumes("data").leaving().version(2));
    assertThat(lacks("y")).containsExactly(VolumeLack.NONE);
  }

  @Test
  void aOnePodClaimMayBeSeenLastAndLoseItsVolume() {
    told.sees(pod("x").volumes("data"));
    told.sees(pod("y").volumes("data"));
    onePodClaim("data");
    assertThat(lacks("x")).containsExactly(VolumeLack.NONE);
    assertThat(lacks("y")).containsExactly(VolumeLack.OTHER_POD);
    claim("data", State.LOST, "data", "", NodeName.NONE, true);
    assertThat(lacks("y")).as("no pod has it").containsExactly(VolumeLack.LOST);
    claim("data", State.BOUND, "data");
    assertThat(lacks("y")).as("made anew, for all").containsExactly(VolumeLack.NONE);
  }
}
