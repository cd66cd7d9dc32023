package dev.berth.cli.usage;

import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What GPU-hours are grouped by.
///
/// @param label the key of the pod label; empty unless it is [Kind#LABEL]
public record UsageDimension(Kind kind, String label) {
  private static final String LABEL = "label:";
  private static final List<String> NAMES =
      Stream.of(Kind.values())
          .filter(kind -> kind != Kind.LABEL)
          .map(kind -> kind.name().toLowerCase(Locale.ROOT))
          .toList();

  enum Kind {
    QUEUE,
    NAMESPACE,
    WORKLOAD,
    POOL,
    MODEL,
    DAY,
    HOUR,
    LABEL
  }

  /// @param by names, with commas between them
  /// @throws DecisionLogException where one is unknown, or there twice
  public static List<UsageDimension> parse(String by) throws DecisionLogException {
    var all = new LinkedHashSet<UsageDimension>();
    for (String name : by.split(",", -1)) {
      if (!all.add(one(name))) {
        throw new DecisionLogException("--by names " + name + " twice: once is enough");
      }
    }
    return new ArrayList<>(all);
  }

  private static UsageDimension one(String name) throws DecisionLogException {
    if (name.startsWith(LABEL) && name.length() > LABEL.length()) {
      return new UsageDimension(Kind.LABEL, name.substring(LABEL.length()));
    }
    if (!NAMES.contains(name)) {
      throw new DecisionLogException(
          "--by is \""
              + name
              + "\""
              + Spelling.hint(name, NAMES)
              + ", but must be one or several, with commas between them, of "
              + String.join(", ", NAMES)
              + ", and label:KEY for a label of pods, such as queue,day");
    }
    return new UsageDimension(Kind.valueOf(name.toUpperCase(Locale.ROOT)), "");
  }

  /// As users write it; the heading of its column.
  public String heading() {
    return kind == Kind.LABEL ? LABEL + label : kind.name().toLowerCase(Locale.ROOT);
  }
}
