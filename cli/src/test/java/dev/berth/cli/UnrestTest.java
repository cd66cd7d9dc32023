package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.cycle.Cycle;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.simulator.scenario.Judge;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.scenario.ScenarioRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two pods, one device, and a planner that always takes it from one for the other.
class UnrestTest {
  private static final String WORLD =
      """
      apiVersion: berth.dev/v1alpha1
      kind: Scenario
      metadata: {name: see-saw}
      spec:
        objects:
          - apiVersion: v1
            kind: Node
            metadata: {name: n}
            status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "1"}}
          - &a
            apiVersion: v1
            kind: Pod
            metadata: {name: a, ownerReferences: &job [{kind: Job, name: j, uid: j, controller: true}]}
            spec: &one
              schedulerName: berth
              containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]
          - {<<: *a, metadata: {name: b, ownerReferences: *job}, spec: {<<: *one, nodeName: n}, status: {phase: Running}}
      """;

  private static final Cycle.PlanningPolicy SEE_SAW =
      new Cycle.PlanningPolicy() {
        @Override
        public Optional<Plan> plan(
            BooleanSupplier due,
            Snapshot snapshot,
            SortedMap<GroupKey, Instant> staleSince,
            SearchEffort effort) {
          for (PodGroup waiting : snapshot.groups()) {
            for (PodGroup running : snapshot.groups()) {
              var preemptor = waiting.members().getFirst();
              var victim = running.members().getFirst();
              if (preemptor.standing() instanceof Standing.Waiting
                  && victim.standing() instanceof Standing.Bound) {
                return Optional.of(
                    new Plan(
                        snapshot.version(),
                        snapshot.now(),
                        List.of(
                            new Decision.Reserve(
                                waiting.key(),
                                List.of(
                                    new Reserved(
                                        preemptor.pod().uid(),
                                        preemptor.pod().key(),
                                        Placement.on(new NodeName("n")))),
                                List.of(),
                                List.of(
                                    new Victim(
                                        victim.pod().uid(),
                                        victim.pod().key(),
                                        Cause.PREEMPT,
                                        waiting.key()))))));
              }
            }
          }
          return Optional.of(new Plan(snapshot.version(), snapshot.now(), List.of()));
        }

        @Override
        public boolean isStale(PodGroup group) {
          return false;
        }

        @Override
        public List<Withdrawn> excess(Snapshot snapshot) {
          return List.of();
        }

        @Override
        public Accounts accounts(Snapshot snapshot) {
          return Accounts.NONE;
        }
      };

  @TempDir private Path folder;

  @Test
  void whatGoesRoundForEverIsFoundAndNamed() throws Exception {
    var ending = ScenarioRun.play(scenario(), ScenarioProduct.shipyard(_ -> SEE_SAW));
    var unmet = Judge.unmet(ending);
    assertThat(unmet.size()).as(unmet.toString()).isEqualTo(1);
    assertThat(unmet.getFirst().startsWith("never comes to rest: in the last "))
        .as(unmet.getFirst())
        .isTrue();
    assertThat(unmet.getFirst().contains("a (evicted 8 times, planned "))
        .as(unmet.getFirst())
        .isTrue();
    assertThat(unmet.getFirst().contains("b (evicted 8 times, planned "))
        .as(unmet.getFirst())
        .isTrue();
  }

  @Test
  void aPlannerThatFailsIsHeard() throws Exception {
    var broken =
        new Cycle.PlanningPolicy() {
          @Override
          public Optional<Plan> plan(
              BooleanSupplier due,
              Snapshot snapshot,
              SortedMap<GroupKey, Instant> staleSince,
              SearchEffort effort) {
            throw new IllegalStateException("lost count");
          }

          @Override
          public boolean isStale(PodGroup group) {
            return false;
          }

          @Override
          public List<Withdrawn> excess(Snapshot snapshot) {
            return List.of();
          }

          @Override
          public Accounts accounts(Snapshot snapshot) {
            return Accounts.NONE;
          }
        };
    var ending = ScenarioRun.play(scenario(), ScenarioProduct.shipyard(_ -> broken));
    assertThat(Judge.unmet(ending))
        .isEqualTo(List.of("a planning cycle failed: java.lang.IllegalStateException: lost count"));
  }

  private Scenario scenario() throws IOException {
    var found = ScenarioFiles.read(Files.writeString(folder.resolve("see-saw.yaml"), WORLD));
    assertThat(found.wrong()).isEqualTo("");
    return found.scenarios().getFirst();
  }
}
