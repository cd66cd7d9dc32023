package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How long a plan takes where each of many pods keeps away from others by many terms of its own,
/// as an attacker makes them to slow down the planner: 500 nodes with 3,900 one-GPU pods.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=TermsLoad [-Dpods=400 -Dterms=50]`. Terms
/// are `own` (pods of the own namespace, of which there are none) or `wide` (nearly all pods of the
/// cluster). Of those that choose their nodes each has a choice of its own (`[-Dexpressions=128]`),
/// and as many spread constraints as there may be.
class TermsLoad {
  private static final int PODS = Integer.getInteger("pods", 400);
  private static final int TERMS = Integer.getInteger("terms", 50);
  private static final int EXPRESSIONS = Integer.getInteger("expressions", 128);
  private static final int NODES = 500;
  private static final String HOST = "kubernetes.io/hostname";

  private static Cluster full() {
    var world = cluster();
    for (int n = 0; n < NODES; n++) {
      world.node("n" + n, gpus(8).label(HOST, "n" + n).label("zone", "z" + n % 10));
    }
    for (int i = 0; i < 3_900; i++) {
      world.running("r" + i, "default", gang(1).gpus(1).label("app", "a" + i));
    }
    return world;
  }

  private static PodSketch pod(int number, boolean wide) {
    var sketch = gang(1).gpus(1).label("app", "w" + number);
    for (int t = 0; t < TERMS; t++) {
      var value = List.of("x" + number + "-" + t);
      var other = new Expression(false, "app", wide ? Operator.NOT_IN : Operator.IN, value);
      var namespaces = wide ? List.<String>of() : List.of("default");
      sketch.apart(new PodTerm(HOST, new Peers(namespaces, wide, List.of(other))));
    }
    return sketch;
  }

  @Test
  void waitingPodsWithTermsThatSelectNoPod() {
    var world = full();
    for (int i = 0; i < PODS; i++) {
      world.waiting("w" + i, "default", pod(i, false));
    }
    measure("own", world);
  }

  @Test
  void waitingPodsWithTermsThatMeanNearlyAll() {
    var world = full();
    for (int i = 0; i < PODS; i++) {
      world.waiting("w" + i, "default", pod(i, true));
    }
    measure("wide", world);
  }

  @Test
  void boundPodsOfAnotherScheduler() {
    for (boolean wide : List.of(false, true)) {
      var world = full();
      for (int i = 0; i < PODS; i++) {
        world.stranger("s" + i, "n" + i % 10, pod(i, wide).noGpu());
      }
      for (int i = 0; i < 100; i++) {
        world.waiting("w" + i, "default", gang(1).gpus(1).label("app", "w" + i));
      }
      measure("bound " + (wide ? "wide" : "own"), world);
    }
  }

  @Test
  void choicesOfNodes() {
    for (boolean spread : List.of(false, true)) {
      var world = full();
      for (int i = 0; i < PODS; i++) {
        var choice = new ArrayList<Expression>();
        for (int e = 0; e < EXPRESSIONS; e++) {
          var value = List.of("x" + i + "-" + e);
          choice.add(new Expression(false, HOST, Operator.NOT_IN, value));
        }
        var sketch = gang(1).gpus(1).label("app", "w" + i).wantsAll(choice);
        for (int t = 0; spread && t < 16; t++) {
          sketch.evenly(t % 2 == 0 ? HOST : "zone", 1 + t, "app", "w" + i);
        }
        world.waiting("w" + i, "default", sketch);
      }
      measure("choose their nodes" + (spread ? ", and are spread" : ""), world);
    }
  }

  @Test
  void hostPorts() {
    var world = full();
    for (int i = 0; i < PODS; i++) {
      var sketch = gang(1).gpus(1);
      for (int port = 0; port < 40 * TERMS; port++) {
        sketch.port("TCP:0.0.0.0:" + (1 + (i * 7 + port) % 60_000));
      }
      world.waiting("w" + i, "default", sketch);
    }
    measure(40 * TERMS + " ports", world);
  }

  private static void measure(String kind, Cluster world) {
    var snapshot = world.snapshot();
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var times = new ArrayList<Long>();
    for (int i = 0; i < 7; i++) {
      long began = System.nanoTime();
      var plan = incremental.plan(snapshot, Collections.emptySortedMap());
      times.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
      assertThat(plan.decisions()).isNotEmpty();
    }
    System.out.println(PODS + " pods of " + TERMS + " terms, " + kind + ": " + times + " ms");
  }
}
