package dev.berth.engine.model;

import java.util.ArrayList;
import java.util.List;

/// An amount of a device that allocations consume (DRA, consumable capacity), with the rule of the
/// driver for what one allocation consumes. All amounts are whole units, bytes for memory.
///
/// @param value what the device has
/// @param usual what is consumed by a request that does not name it
/// @param least smallest amount that is consumed
/// @param step amounts are `least` plus a multiple of it; 0 = any amount
/// @param most largest amount that one allocation may consume
/// @param choices the amounts that may be consumed, ascending; empty = see `least`, `step`, `most`
public record DeviceCapacity(
    long value, long usual, long least, long step, long most, List<Long> choices) {
  /// The device cannot be allocated for such a request.
  public static final long NEVER = -1;

  public DeviceCapacity {
    choices = List.copyOf(choices);
  }

  /// Without a rule: any amount; a request that names none consumes all of it.
  public static DeviceCapacity of(long value) {
    return new DeviceCapacity(value, value, 0, 0, Long.MAX_VALUE, new ArrayList<>());
  }

  /// What a request for `asked` consumes: rounded up as the rule says; [#NEVER] where the rule
  /// forbids it.
  public long consumedBy(long asked) {
    if (!choices.isEmpty()) {
      for (long choice : choices) {
        if (asked <= choice) {
          return choice;
        }
      }
      return NEVER;
    }
    long consumed = Math.max(asked, least);
    if (step > 0 && (consumed - least) % step != 0) {
      long steps = (consumed - least) / step + 1;
      consumed = steps > (Long.MAX_VALUE - least) / step ? Long.MAX_VALUE : least + steps * step;
    }
    return consumed > most ? NEVER : consumed;
  }

  /// Whether this name is that of a GPU's memory.
  public static boolean isMemory(String name) {
    return name.equals("memory") || name.endsWith("/memory");
  }
}
