package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// `berth explain` and `berth what-if` on a shipped scenario, as users read them.
final class ExplainTest {
  private static final String FILE = "../examples/scenarios/queue-limit.yaml";

  private final CommandOutput output = new CommandOutput();

  private int explain(String... arguments) {
    return output.run(Explain::new, arguments);
  }

  private int whatIf(String... arguments) {
    return output.run(WhatIfCommand::new, arguments);
  }

  private String told() {
    return output.told();
  }

  private String wrong() {
    return output.wrong();
  }

  @Test
  void tellsWhyAWorkloadWaitsAndWhatLetsItStart() {
    assertThat(explain(FILE, "vision-2")).isZero();
    assertThat(told())
        .isEqualTo(
            """
            default/vision-2, queue vision, priority 0
              Waits: queue research has 4 of its limit of 4 GPUs in use and this group asks for 1. \
            Helps: 1 GPU released in research, or a limit of 5 GPUs.
              Place 2 of 2 in the order: priority 0, 100.0 % of its queue's share in use and 150.0 % \
            with it, waits 1m6s
                before it default/speech-2, queue speech: all else is equal; by name of the queues
              Each of these alone lets it start:
                administrator  a limit of 5 GPUs in research (now 4)
                user           a priority of 1 (now 0); evicts 1 pod
                time           1 GPU released: default/vision-0 ends

            """);
  }

  @Test
  void tellsOfAllThatWaitWhereNoneIsNamed() {
    assertThat(explain(FILE)).isZero();
    assertThat(told().lines().filter(line -> line.startsWith("default/")))
        .containsExactly(
            "default/speech-2, queue speech, priority 0",
            "default/vision-2, queue vision, priority 0");
  }

  @Test
  void saysOfAWorkloadThatRunsThatItDoesNotWait() {
    assertThat(explain(FILE, "default/vision-0")).isZero();
    assertThat(told()).contains("It does not wait.");
  }

  @Test
  void whatIsNotThereIsToldWithTheNearestName() {
    assertThat(explain(FILE, "visoin-2")).isEqualTo(2);
    assertThat(wrong())
        .isEqualTo(
            "berth: there is no workload, and no pod of one, called visoin-2"
                + " (did you mean vision-2?)\n");
    assertThat(explain("no-such.yaml")).isEqualTo(2);
    assertThat(wrong()).contains("berth: no-such.yaml: there is no such file or folder");
    assertThat(explain("../examples/scenarios/disruption-budget.yaml")).isEqualTo(2);
    assertThat(wrong()).contains("there are 3 scenarios; give a file with one");
  }

  @Test
  void aHigherLimitStartsWhoWaitsForIt() {
    assertThat(whatIf(FILE, "--limit", "research=5")).isZero();
    assertThat(told())
        .contains("\ndefault/vision-2: starts with 1 pod (now: Waits: queue research")
        .startsWith("default/speech-2: Waits: queue speech has 2 of its limit of 2 GPUs");
  }

  @Test
  void whatMakesNoDifferenceIsSaidToMakeNone() {
    assertThat(whatIf(FILE, "--quota", "speech=2")).isZero();
    assertThat(told()).isEqualTo("The plan would be the same.\n");
  }

  @Test
  void drainedNodesAndEndsAndNodesToComeAreChanges() {
    assertThat(whatIf(FILE, "--end", "vision-0", "--add-nodes", "worker-a=2")).isZero();
    assertThat(told()).contains("starts with 1 pod");
    assertThat(whatIf(FILE, "--drain", "worker-a")).isZero();
  }

  @Test
  void aChangeThatCannotBeMeantIsToldWithTheWayOut() {
    assertThat(whatIf(FILE)).isEqualTo(2);
    assertThat(wrong()).contains("no change is named: --limit, --quota, --drain");
    assertThat(whatIf(FILE, "--limit", "research=five")).isEqualTo(2);
    assertThat(wrong())
        .contains("--limit research=five: must be a number of GPUs with up to three decimals");
    assertThat(whatIf(FILE, "--quota", "reserch=2")).isEqualTo(2);
    assertThat(wrong()).contains("there is no queue reserch; there are ");
    assertThat(whatIf(FILE, "--drain", "worker-z")).isEqualTo(2);
    assertThat(wrong()).contains("there is no node worker-z");
    assertThat(whatIf(FILE, "--add-nodes", "worker-a=0")).isEqualTo(2);
    assertThat(wrong()).contains("--add-nodes worker-a=0: must be 1 or more");
  }
}
