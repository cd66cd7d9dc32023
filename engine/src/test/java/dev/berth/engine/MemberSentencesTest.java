package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Sentences;
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
