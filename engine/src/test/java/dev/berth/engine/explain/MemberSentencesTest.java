package dev.berth.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.CreationRefusal;
import dev.berth.engine.model.CreationRefusal.Exceeded;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoSuchSubGroup;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What groups read of members that are missing, and of roles that they do not have.
class MemberSentencesTest {
  /// A quota of the namespace, or a policy, may refuse them: the events of their creator tell.
  @Test
  void ofPodsThatDoNotExistTheirCreatorIsNamed() {
    var job = new Reason.Creator("ml", "job", "train");
    assertThat(Sentences.of(new Reason.TooFewMembers("", 1, 4, 0, List.of(), job)))
        .isEqualTo(
            "Waits: the group has 1 of the 4 members that start together, and 3 do not exist yet."
                + " Helps: 3 more pods (kubectl -n ml describe job train tells what keeps them"
                + " from being created), or a minimum of 1.");
    assertThat(Sentences.of(new Reason.TooFewMembers("", 1, 3, 1, List.of("a.b/c"), job)))
        .isEqualTo(
            "Waits: the group has 1 of the 3 members that start together, and 1 does not exist yet,"
                + " and 1 more that scheduling gates of others hold (a.b/c). Helps: remove this"
                + " gate and create 1 more pod (kubectl -n ml describe job train tells what keeps"
                + " them from being created), or a minimum of 1.");
  }

  private static String refused(int have, int need, CreationRefusal refusal) {
    var job = new Reason.Creator("ml", "job", "train");
    return Sentences.of(
        new Reason.TooFewMembers("", have, need, 0, List.of(), job).refused(refusal));
  }

  @Test
  void podsThatAskForLessAreNoWayOutOfAResourceQuotaOfNothingOrOfPods() {
    for (var exceeded :
        List.of(
            new Exceeded("requests.nvidia.com/gpu", 0, 2, 0),
            new Exceeded("pods", 3, 1, 3),
            new Exceeded("count/pods", 3, 1, 3))) {
      var refusal = new CreationRefusal("exceeded quota", "team", List.of(exceeded));
      assertThat(refused(1, 4, refusal)).doesNotContain("ask for less");
    }
  }

  /// Released is what the group lacks, if the ResourceQuota has room for all of it.
  @Test
  void aResourceQuotaThatRefusesPodsIsToldWithItsNumbersAndWhatWouldDo() {
    var gpus =
        new CreationRefusal(
            "exceeded quota", "team", List.of(new Exceeded("requests.nvidia.com/gpu", 4, 2, 5)));
    assertThat(refused(1, 4, gpus))
        .isEqualTo(
            "Waits: the group has 1 of the 4 members that start together, and 3 do not exist yet:"
                + " ResourceQuota team has 4 of 5 requests.nvidia.com/gpu in use and the next pod"
                + " asks for 2. Helps: a ResourceQuota team of 10 requests.nvidia.com/gpu or more,"
                + " or pods that ask for less, or a minimum of 1.");
    var both =
        new CreationRefusal(
            "exceeded quota",
            "team",
            List.of(
                new Exceeded("requests.cpu", 7500, 1000, 8000),
                new Exceeded("requests.memory", 15L << 30, 2L << 30, 16L << 30)));
    assertThat(refused(0, 2, both))
        .isEqualTo(
            "Waits: the group has 0 of the 2 members that start together, and 2 do not exist yet:"
                + " ResourceQuota team has 7.5 of 8 requests.cpu and 15 GiB of 16 GiB"
                + " requests.memory in use and the next pod asks for 1 and 2 GiB. Helps: a"
                + " ResourceQuota team of 9.5 requests.cpu and 19 GiB requests.memory or more, or"
                + " 1.5 requests.cpu and 3 GiB requests.memory released in the namespace, or pods"
                + " that ask for less.");
  }

  @Test
  void aRefusalOfAnotherCauseIsToldInTheWordsOfTheApiServer() {
    assertThat(refused(1, 2, new CreationRefusal("violates PodSecurity \"restricted:latest\".")))
        .isEqualTo(
            "Waits: the group has 1 of the 2 members that start together, and 1 does not exist yet:"
                + " the API server refuses the next pod: violates PodSecurity"
                + " \"restricted:latest\". Helps: pods, or rules of the namespace, that the API"
                + " server admits, or a minimum of 1.");
  }

  /// A user with the right to write events can write any number.
  @Test
  void numbersBeyondAllMeasureAreNoFailure() {
    var forged = new Exceeded("pods", Long.MAX_VALUE - 1, Long.MAX_VALUE / 2, Long.MAX_VALUE);
    assertThat(forged.needed(3)).isEqualTo(Long.MAX_VALUE);
    assertThat(forged.asked(2)).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(refused(1, 4, new CreationRefusal("x", "q", List.of(forged))))
        .contains("ResourceQuota q");
  }

  @Test
  void aRoleThatTheGroupDoesNotHaveIsToldWithThoseThatItHas() {
    var pod = new PodKey("default", "x");
    var roles = List.of("decode", "prefill");
    assertThat(Sentences.of(new NoSuchSubGroup(pod, "prefil", roles, "prefill")))
        .isEqualTo(
            "Waits: pod default/x is of sub-group prefil, which its group does not have (did you"
                + " mean prefill?); it has decode, prefill. Helps: the label berth.dev/subgroup:"
                + " prefill.");
    assertThat(Sentences.of(new NoSuchSubGroup(pod, "", roles, "")))
        .isEqualTo(
            "Waits: pod default/x names no sub-group, but its group has some; it has decode,"
                + " prefill. Helps: the label berth.dev/subgroup with one of these.");
    var many = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    assertThat(Sentences.of(new NoSuchSubGroup(pod, "z", many, "")))
        .contains("; it has a, b, c, d, e, f and 2 more.");
  }
}
