package dev.berth.extender.rest.answer;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.extender.rest.state.Changes;
import dev.berth.extender.rest.state.Revision;
import java.util.List;

/// What a revision makes different, as an event of the stream.
///
/// @param queues whether queues, or how they stand, are to be read anew
public record ChangesAnswer(
    String revision,
    String at,
    List<NodeAnswer> nodes,
    List<String> nodesGone,
    List<WorkloadAnswer> workloads,
    List<Key> workloadsGone,
    boolean queues) {

  /// A workload's key.
  public record Key(String namespace, String name) {}

  /// @param about which kinds the client wants to hear of
  public static ChangesAnswer of(
      String id, Revision revision, Changes changes, About about, Visible visible) {
    boolean nodes = about.nodes() && visible.nodes();
    var topologies = revision.snapshot().topologies();
    return new ChangesAnswer(
        id,
        revision.snapshot().now().toString(),
        nodes
            ? changes.nodes().stream()
                .map(each -> NodeAnswer.of(each, topologies, visible))
                .toList()
            : List.of(),
        nodes ? changes.nodesGone().stream().map(NodeName::value).toList() : List.of(),
        about.workloads()
            ? changes.workloads().stream()
                .filter(each -> visible.namespace(each.key().namespace()))
                .map(each -> WorkloadAnswer.of(each, revision))
                .toList()
            : List.of(),
        about.workloads()
            ? changes.workloadsGone().stream()
                .filter(each -> visible.namespace(each.namespace()))
                .map(ChangesAnswer::key)
                .toList()
            : List.of(),
        about.queues() && changes.queues());
  }

  private static Key key(GroupKey key) {
    return new Key(key.namespace(), key.name());
  }

  /// Whether there is nothing that the client wants to hear of.
  public boolean tellsNothing() {
    return nodes.isEmpty()
        && nodesGone.isEmpty()
        && workloads.isEmpty()
        && workloadsGone.isEmpty()
        && !queues;
  }

  /// Kinds that an event stream tells of.
  public record About(boolean nodes, boolean workloads, boolean queues) {
    public static final About ALL = new About(true, true, true);
  }
}
