package dev.berth.simulator.world;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.extender.Verbs;
import dev.berth.extender.verbs.NotOurs;
import dev.berth.extender.verbs.NotReady;
import dev.berth.extender.wire.AskedPod;
import dev.berth.extender.wire.BindQuestion;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.NodeNames;
import dev.berth.extender.wire.PreemptQuestion;
import dev.berth.extender.wire.PreemptQuestion.Victims;
import dev.berth.extender.wire.UnreadableQuestion;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The shipped verbs, asked without HTTP.
public final class BerthExtender implements Extender {
  private final Verbs verbs;

  public BerthExtender(Verbs verbs) {
    this.verbs = verbs;
  }

  @Override
  public Filtered filter(Map<String, ?> pod, List<String> nodes) {
    try {
      var answer = verbs.filter().answer(question(pod, nodes));
      return new Filtered(
          answer.passing().stream().map(NodeName::value).toList(),
          byName(answer.failed()),
          byName(answer.unresolvable()),
          answer.error());
    } catch (UnreadableQuestion unreadable) {
      return new Filtered(
          List.of(), new TreeMap<>(), new TreeMap<>(), String.valueOf(unreadable.getMessage()));
    }
  }

  @Override
  public Map<String, Integer> prioritize(Map<String, ?> pod, List<String> nodes) {
    var scores = new TreeMap<String, Integer>();
    try {
      var answer = verbs.prioritize().answer(question(pod, nodes));
      for (int i = 0; i < nodes.size(); i++) {
        scores.put(nodes.get(i), answer.scores().get(i));
      }
    } catch (UnreadableQuestion | NotReady | NotOurs _) {
      scores.clear(); // as kube-scheduler does: errors of prioritize count as no preference
    }
    return scores;
  }

  @Override
  public SortedMap<String, List<String>> preempt(
      Map<String, ?> pod, SortedMap<String, List<String>> victimsByNode) {
    var proposed = new TreeMap<NodeName, Victims>();
    victimsByNode.forEach((node, pods) ->
        proposed.put(new NodeName(node), new Victims(pods.stream().map(PodUid::new).toList(), 0)));
    var kept = new TreeMap<String, List<String>>();
    try {
      var answer = verbs.preempt().answer(new PreemptQuestion(asked(pod), proposed));
      answer
          .kept()
          .forEach((node, victims) ->
              kept.put(node.value(), victims.pods().stream().map(PodUid::value).toList()));
    } catch (UnreadableQuestion | NotReady | NotOurs _) {
      kept.clear(); // no candidate is left
    }
    return kept;
  }

  @Override
  public void bind(Binding binding, Consumer<String> answer) {
    var question =
        new BindQuestion(
            new PodKey(binding.namespace(), binding.name()),
            new PodUid(binding.uid()),
            new NodeName(binding.node()));
    var _ = verbs.bind().answer(question).thenAccept(said -> answer.accept(said.error()));
  }

  private static FilterQuestion question(Map<String, ?> pod, List<String> nodes) {
    return new FilterQuestion(
        asked(pod), NodeNames.of(nodes.stream().map(NodeName::new).toList()), false);
  }

  private static AskedPod asked(Map<String, ?> pod) {
    return AskedPod.of(
        new PodUid(ObjectTree.uid(pod)),
        new PodKey(ObjectTree.text(pod, "metadata", "namespace"), ObjectTree.name(pod)),
        ObjectTree.map(Map.of("pod", pod), "pod"));
  }

  private static SortedMap<String, String> byName(SortedMap<NodeName, String> messages) {
    var byName = new TreeMap<String, String>();
    messages.forEach((node, message) -> byName.put(node.value(), message));
    return byName;
  }
}
