package dev.berth.extender.wire;

import dev.berth.engine.model.NodeName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `ExtenderFilterResult`: one verdict for every node that was asked about, or an error.
///
/// On the wire, nodes that nothing helps are named only where no node passes: then kube-scheduler
/// tells the user the reasons. Otherwise it reads them for nothing (500 names a pod), for a node
/// that an answer leaves out counts as one that nothing helps.
public final class FilterAnswer {
  private static final byte[] HEAD = Output.raw("{\"Nodes\":null,\"NodeNames\":[");
  private static final byte[] FAILED = Output.raw("],\"FailedNodes\":{");
  private static final byte[] UNRESOLVABLE = Output.raw("},\"FailedAndUnresolvableNodes\":{");
  private static final byte[] ERROR = Output.raw("},\"Error\":");

  private final NodeNames asked;
  private final FilterVerdict[] verdicts;
  private final String error;

  private FilterAnswer(NodeNames asked, FilterVerdict[] verdicts, String error) {
    this.asked = asked;
    this.verdicts = verdicts;
    this.error = error;
  }

  /// One verdict per node, in the order of the question.
  public static FilterAnswer each(NodeNames asked, List<FilterVerdict> verdicts) {
    if (asked.size() != verdicts.size()) {
      throw new IllegalArgumentException(
          verdicts.size() + " verdicts for " + asked.size() + " nodes");
    }
    return new FilterAnswer(asked, verdicts.toArray(FilterVerdict[]::new), "");
  }

  /// This node alone, if it was asked about; the others are refused.
  public static FilterAnswer only(NodeNames asked, NodeName node, FilterVerdict others) {
    var answer = none(asked, others);
    int index = asked.indexOf(node);
    if (index >= 0) {
      answer.verdicts[index] = FilterVerdict.PASSES;
    }
    return answer;
  }

  public static FilterAnswer none(NodeNames asked, FilterVerdict refusal) {
    var verdicts = new FilterVerdict[asked.size()];
    Arrays.fill(verdicts, refusal);
    return new FilterAnswer(asked, verdicts, "");
  }

  /// No answer: kube-scheduler drops the cycle and tries the pod again after its error backoff.
  public static FilterAnswer error(String sentence) {
    return new FilterAnswer(NodeNames.of(List.of()), new FilterVerdict[0], sentence);
  }

  public List<NodeName> passing() {
    var passing = new ArrayList<NodeName>();
    for (int i = 0; i < verdicts.length; i++) {
      if (verdicts[i].kind() == FilterVerdict.Kind.PASSES) {
        passing.add(asked.name(i));
      }
    }
    return Collections.unmodifiableList(passing);
  }

  /// Refused nodes that preemption may try, with the message.
  public SortedMap<NodeName, String> failed() {
    return refused(FilterVerdict.Kind.RESOLVABLE);
  }

  /// Refused nodes that nothing helps, with the message.
  public SortedMap<NodeName, String> unresolvable() {
    return refused(FilterVerdict.Kind.UNRESOLVABLE);
  }

  /// Empty = none.
  public String error() {
    return error;
  }

  private SortedMap<NodeName, String> refused(FilterVerdict.Kind kind) {
    var refused = new TreeMap<NodeName, String>();
    for (int i = 0; i < verdicts.length; i++) {
      if (verdicts[i].kind() == kind) {
        refused.put(asked.name(i), verdicts[i].message());
      }
    }
    return Collections.unmodifiableSortedMap(refused);
  }

  public byte[] bytes() {
    byte[] said = Output.quoted(error);
    boolean whole = !anyPasses();
    int length = HEAD.length + FAILED.length + UNRESOLVABLE.length + ERROR.length + said.length + 1;
    for (int i = 0; i < verdicts.length; i++) {
      if (whole || verdicts[i].kind() != FilterVerdict.Kind.UNRESOLVABLE) {
        length += asked.quoted(i).length + verdicts[i].quoted().length + 2;
      }
    }
    var out = new Output(length); // a little too much: no comma behind the last, no word for a pass
    put(out.put(HEAD), FilterVerdict.Kind.PASSES);
    put(out.put(FAILED), FilterVerdict.Kind.RESOLVABLE);
    out.put(UNRESOLVABLE);
    if (whole) {
      put(out, FilterVerdict.Kind.UNRESOLVABLE);
    }
    return out.put(ERROR).put(said).put('}').bytes();
  }

  private boolean anyPasses() {
    for (FilterVerdict verdict : verdicts) {
      if (verdict.kind() == FilterVerdict.Kind.PASSES) {
        return true;
      }
    }
    return false;
  }

  private void put(Output out, FilterVerdict.Kind kind) {
    boolean names = kind == FilterVerdict.Kind.PASSES;
    boolean first = true;
    for (int i = 0; i < verdicts.length; i++) {
      FilterVerdict verdict = verdicts[i];
      if (verdict.kind() != kind) {
        continue;
      }
      if (!first) {
        out.put(',');
      }
      first = false;
      out.put(asked.quoted(i));
      if (!names) {
        out.put(':').put(verdict.quoted());
      }
    }
  }
}
