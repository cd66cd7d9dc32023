package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeCheckTest {
  @Test
  void healthyNodesAreNotMentioned() {
    assertThat(NodeCheck.findings(new Written().gpuNode("a").facts())).isEmpty();
  }

  @Test
  void nodesThatTakeNothingSayWhy() {
    var facts =
        new Written()
            .with(Source.NODES, node("down", "", "{type: Ready, status: Unknown}"))
            .with(Source.NODES, node("drained", "unschedulable: true", ""))
            .with(Source.NODES, node("sick", "", "{type: XIDErrors, status: 'True'}"))
            .with(Source.NODES, "{metadata: {name: cpu}, spec: {unschedulable: true}}")
            .facts();
    var findings = NodeCheck.findings(facts);
    assertThat(wrong(findings))
        .containsExactly("WARN nodes/NotReady node down", "WARN nodes/SickGpus node sick");
    assertThat(Written.fine(findings)).containsExactly("nodes/Cordoned");
    assertThat(findings.getLast().sentence()).contains("(XIDErrors=True)");
  }

  @Test
  void whatBerthToldLastOfANodeStandsForAWhile() {
    var facts =
        new Written()
            .gpuNode("a")
            .gpuNode("b")
            .with(Source.NODE_EVENTS, event("a", "2026-03-01T11:58:00.000000Z", "old"))
            .with(Source.NODE_EVENTS, event("a", "2026-03-01T11:59:00.000000Z", "new."))
            .with(Source.NODE_EVENTS, event("b", "2026-03-01T11:30:00.000000Z", "over"))
            .facts();
    assertThat(NodeCheck.findings(facts))
        .singleElement()
        .extracting(Finding::check, Finding::object, Finding::sentence)
        .containsExactly("nodes/HolderTrouble", "node a", "new");
  }

  @Test
  void aTroubleWhoseTimeIsOverIsNotTold() {
    var note = "No further device is held for shares before 2026-03-01T1%s:00Z: words";
    var facts =
        new Written()
            .gpuNode("a")
            .gpuNode("b")
            .with(
                Source.NODE_EVENTS,
                event("a", "2026-03-01T11:58:00.000000Z", note.formatted("1:59")))
            .with(
                Source.NODE_EVENTS,
                event("b", "2026-03-01T11:58:00.000000Z", note.formatted("2:03")))
            .facts();
    assertThat(wrong(NodeCheck.findings(facts))).containsExactly("WARN nodes/HolderTrouble node b");
  }

  @Test
  void aNodeThatOffersFewerGpusThanItHasSaysSo() {
    var facts =
        new Written()
            .with(
                Source.NODES,
                "{metadata: {name: a}, status: {conditions: [{type: Ready, status: 'True'}],"
                    + " capacity: {nvidia.com/gpu: '2'}, allocatable: {nvidia.com/gpu: '1'}}}")
            .facts();
    var findings = NodeCheck.findings(facts);
    assertThat(wrong(findings)).containsExactly("WARN nodes/UnhealthyGpus node a");
    assertThat(findings.getFirst().sentence()).startsWith("offers 1 of its 2 GPUs: ");
  }

  private static String event(String node, String time, String note) {
    return "{metadata: {name: e}, reason: HolderTrouble, regarding: {kind: Node, name: "
        + node
        + "}, eventTime: '"
        + time
        + "', note: '"
        + note
        + "'}";
  }

  private static String node(String name, String spec, String condition) {
    return "{metadata: {name: "
        + name
        + "}, spec: {"
        + spec
        + "}, status: {allocatable: {nvidia.com/gpu: '8'}, conditions: ["
        + condition
        + "]}}";
  }
}
