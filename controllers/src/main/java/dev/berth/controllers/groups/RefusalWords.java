package dev.berth.controllers.groups;

import dev.berth.engine.model.CreationRefusal;
import dev.berth.engine.model.CreationRefusal.Exceeded;
import dev.berth.engine.request.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What the message of an event says of a pod that was not created: `Error creating: pods "x-1" is
/// forbidden: exceeded quota: gpus, requested: pods=1, used: pods=4, limited: pods=4`.
///
/// The name of the pod is left out: it is another one each time. Any user can write such a message,
/// so text that is not understood is kept as text, and cut.
final class RefusalWords {
  private static final int MOST = 300;

  /// What stands before the cause.
  private static final Pattern BEFORE =
      Pattern.compile("^(?:\\(combined from similar events\\): )?(?:Error creating: )?");

  private static final Pattern FORBIDDEN = Pattern.compile("^pods \"[^\"]*\" is forbidden: ");

  private static final Pattern QUOTA =
      Pattern.compile(
          "exceeded quota: ([a-z0-9.-]{1,253}), requested: (\\S+), used: (\\S+), limited: (\\S+)");

  private RefusalWords() {}

  static CreationRefusal read(String message) {
    String cause = BEFORE.matcher(message).replaceFirst("");
    String words = FORBIDDEN.matcher(cause).replaceFirst("").strip();
    var quota = QUOTA.matcher(words);
    if (quota.matches()) {
      var exceeded = exceeded(quota.group(2), quota.group(3), quota.group(4));
      if (exceeded.isPresent()) {
        return new CreationRefusal(words, quota.group(1), exceeded.get());
      }
    }
    return words.isEmpty() ? CreationRefusal.NONE : new CreationRefusal(oneLine(words));
  }

  /// In one line, and cut: any user can write such words.
  static String oneLine(String words) {
    String line = words.replaceAll("\\p{Cntrl}+", " ");
    return line.length() <= MOST ? line : line.substring(0, MOST) + "…";
  }

  private static Optional<List<Exceeded>> exceeded(String asked, String used, String hard) {
    var ask = amounts(asked);
    var use = amounts(used);
    var most = amounts(hard);
    if (ask.isEmpty()
        || !ask.keySet().equals(use.keySet())
        || !ask.keySet().equals(most.keySet())) {
      return Optional.empty();
    }
    var all = new ArrayList<Exceeded>();
    ask.forEach((name, amount) ->
        all.add(
            new Exceeded(name, use.getOrDefault(name, 0L), amount, most.getOrDefault(name, 0L))));
    return Optional.of(all);
  }

  /// Of `pods=1,requests.cpu=2`; empty where one of them is no amount.
  private static Map<String, Long> amounts(String text) {
    var amounts = new TreeMap<String, Long>();
    for (String each : text.split(",", -1)) {
      int at = each.indexOf('=');
      String name = at < 1 ? "" : each.substring(0, at);
      var amount = Quantities.amount(Exceeded.counted(name), each.substring(at + 1));
      if (name.isEmpty() || amount.isEmpty() || amount.getAsLong() < 0) {
        return new TreeMap<>();
      }
      amounts.put(name, amount.getAsLong());
    }
    return amounts;
  }
}
