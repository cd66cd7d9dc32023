package dev.berth.cli.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What the live view shows at one moment: all of it, and nothing else.
///
/// @param nodes by rack and name
/// @param queues in the order of the tree, parents before children
/// @param waits the waiting groups, longest first
/// @param recent what happened last, latest first
public record Scene(
    Heading heading,
    List<NodeRow> nodes,
    List<QueueRow> queues,
    List<WaitRow> waits,
    List<Happening> recent) {
  public Scene {
    nodes = List.copyOf(nodes);
    queues = List.copyOf(queues);
    waits = List.copyOf(waits);
    recent = List.copyOf(recent);
  }

  /// @param title what is shown, with where to find more
  /// @param usedMillis thousandths of devices that bound pods take
  /// @param plannedMillis those kept for pods that are on their way
  /// @param deviceMillis all there are
  public record Heading(
      String title,
      Instant now,
      Duration up,
      Counts counts,
      long usedMillis,
      long plannedMillis,
      long deviceMillis,
      Pulse pulse) {}

  /// Pods by state; gangs that run.
  public record Counts(int running, int starting, int waiting, int gangs) {}

  /// How fast decisions come.
  ///
  /// @param plansPerSecond decisions that gave a pod a place
  /// @param cycle the latest time from snapshot to the last assumption
  public record Pulse(double plansPerSecond, Duration cycle) {}

  public record NodeRow(String rack, String name, String model, List<Cell> devices) {
    public NodeRow {
      devices = List.copyOf(devices);
    }
  }

  /// One device, and the pods that have it, as far as Berth knows.
  public sealed interface Cell {
    record Free() implements Cell {}

    /// @param queue of its only pod; empty = a pod that is not Berth's
    record Whole(String queue, Stage stage) implements Cell {}

    /// @param parts the pods that share it, in the order of their coming; together 1000 at most
    record Shared(List<GpuShare> parts) implements Cell {
      public Shared {
        parts = List.copyOf(parts);
      }
    }
  }

  public record GpuShare(String queue, int millis, Stage stage) {}

  /// On its way to the device, there, or about to go.
  public enum Stage {
    COMING,
    THERE,
    LEAVING
  }

  /// @param depth in the tree, 0 = top
  /// @param limitMillis −1 = none
  public record QueueRow(
      String name,
      int depth,
      long usedMillis,
      long quotaMillis,
      long limitMillis,
      int running,
      int pending) {}

  /// @param asks like `4 × 2 GPU`
  /// @param why a sentence; empty = not looked at yet
  public record WaitRow(String name, String queue, String asks, Duration since, String why) {}

  public record Happening(Instant when, Kind kind, String queue, String what) {
    /// What kind of thing happened.
    public enum Kind {
      PLACED,
      STARTED,
      FINISHED,
      EVICTED
    }
  }
}
