package dev.berth.engine.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/// A plan as it travels with its pod, in the annotation `berth.dev/plan`: `node=worker-3 slots=0,2
/// millis=500 gang=7f3a charge=research/50/preemptible until=2026-01-01T00:00:30Z`.
///
/// @param gang names the block that was planned together: members of one block bind together. Empty
///   for a pod that binds alone
/// @param size members of that block, the barrier opens when all of them have come; 1 = alone
/// @param until the deadline: not bound by then, the plan has lapsed
/// @param chargedTo what the pod is charged as, from the plan to its end
public record WrittenPlan(
    Placement placement, String gang, int size, Instant until, ChargedTo chargedTo) {
  /// Stands for "no plan written".
  public static final WrittenPlan NONE = new WrittenPlan(Placement.NONE, "", 0, Instant.EPOCH);

  /// Of an earlier version, which settled no chargedTo.
  public WrittenPlan(Placement placement, String gang, int size, Instant until) {
    this(placement, gang, size, until, ChargedTo.NONE);
  }

  /// The same plan with a later deadline.
  public WrittenPlan until(Instant later) {
    return new WrittenPlan(placement, gang, size, later, chargedTo);
  }

  public boolean isNone() {
    return placement.isNone();
  }

  public String text() {
    var text = new StringBuilder("node=").append(placement.node());
    if (!placement.slots().isEmpty()) {
      text.append(" slots=");
      for (int i = 0; i < placement.slots().size(); i++) {
        text.append(i == 0 ? "" : ",").append(placement.slots().get(i));
      }
      text.append(" millis=").append(placement.millis());
    }
    if (size > 1) {
      text.append(" gang=").append(gang).append(" size=").append(size);
    }
    String charge = chargedTo.text();
    text.append(charge.isEmpty() ? "" : " charge=" + charge);
    return text.append(" until=").append(until).toString();
  }

  /// Reads what [#text] wrote; empty where the text is not one of Berth.
  public static Optional<WrittenPlan> parse(String text) {
    var node = NodeName.NONE;
    var slots = new ArrayList<Integer>();
    int millis = 0;
    var gang = "";
    int size = 1;
    var until = Instant.EPOCH;
    var chargedTo = ChargedTo.NONE;
    try {
      for (String word : text.split(" ", -1)) {
        int equals = word.indexOf('=');
        String value = word.substring(equals + 1);
        switch (equals < 0 ? "" : word.substring(0, equals)) {
          case "node" -> node = new NodeName(value);
          case "slots" -> {
            for (String slot : value.split(",", -1)) {
              slots.add(Integer.parseInt(slot));
            }
          }
          case "millis" -> millis = Integer.parseInt(value);
          case "gang" -> gang = value;
          case "size" -> size = Integer.parseInt(value);
          case "charge" -> chargedTo = ChargedTo.parse(value).orElse(ChargedTo.NONE);
          case "until" -> until = Rfc3339.parse(value);
          default -> {
            return Optional.empty();
          }
        }
      }
      var plan = new WrittenPlan(new Placement(node, slots, millis), gang, size, until, chargedTo);
      return plan.isNone() ? Optional.empty() : Optional.of(plan);
    } catch (IllegalArgumentException | DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}
