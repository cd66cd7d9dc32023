package dev.berth.extender.wire;

import java.util.Collections;
import java.util.List;

/// `HostPriorityList`: a score for each node that was asked about. kube-scheduler multiplies by 10
/// and the weight, and neither clamps nor checks.
///
/// @param scores 0 … 10, in the order of the question
public record PrioritizeAnswer(NodeNames asked, List<Integer> scores) {
  public static final int HIGHEST = 10;

  private static final byte[] HOST = Output.raw("{\"Host\":");
  private static final byte[] SCORE = Output.raw(",\"Score\":");

  public PrioritizeAnswer {
    scores = List.copyOf(scores);
    if (asked.size() != scores.size()) {
      throw new IllegalArgumentException(scores.size() + " scores for " + asked.size() + " nodes");
    }
    for (int score : scores) {
      if (score < 0 || score > HIGHEST) {
        throw new IllegalArgumentException("a score is 0 to 10, not " + score);
      }
    }
  }

  /// Berth has no preference.
  public static PrioritizeAnswer indifferent(NodeNames asked) {
    return new PrioritizeAnswer(asked, Collections.nCopies(asked.size(), 0));
  }

  public byte[] bytes() {
    int length = 2;
    for (int i = 0; i < scores.size(); i++) {
      length += asked.quoted(i).length + 22;
    }
    var out = new Output(length).put('[');
    for (int i = 0; i < scores.size(); i++) {
      if (i > 0) {
        out.put(',');
      }
      out.put(HOST).put(asked.quoted(i)).put(SCORE);
      out.put(Output.raw(Integer.toString(scores.get(i)))).put('}');
    }
    return out.put(']').bytes();
  }
}
