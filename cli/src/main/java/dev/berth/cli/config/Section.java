package dev.berth.cli.config;

import dev.berth.cli.config.ConfigKey.Replica;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.request.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// One mapping of the file. Each reader takes a field with what it sets and its default, keeps that
/// for the pages, and remembers what is wrong with the value; [#finish] adds the unknown fields.
final class Section {
  /// Fields that were renamed, for a release or two.
  private static final Map<String, String> RENAMED =
      Map.of(
          "evictions.patience", "budgetTimeout",
          "evictions.spare", "blockedCooldown",
          "evictions.slack", "graceMargin",
          "evictions.keepPlace", "placeHold",
          "holders.patience", "readyTimeout",
          "shares.probePatience", "probeTimeout",
          "status.podWaits", "podReasonDelay",
          "reclaim.againstBudgets", "overrideBudgets",
          "reclaim.longestGrace", "maxGracePeriod",
          "extender.tls.look", "checkInterval");

  private final String path;
  private final Map<String, Object> fields = new TreeMap<>();
  private final TreeSet<String> known = new TreeSet<>();
  private final List<Section> children = new ArrayList<>();
  private final Replica replica;
  private final List<String> wrongs;
  private final List<ConfigKey> settings;

  /// The whole file.
  ///
  /// @param wrongs gets what is wrong with it
  /// @param settings gets every key that is read
  Section(Object tree, List<String> wrongs, List<ConfigKey> settings) {
    this("", tree, Replica.LEADER, wrongs, settings);
  }

  private Section(
      String path, Object value, Replica replica, List<String> wrongs, List<ConfigKey> settings) {
    this.path = path;
    this.replica = replica;
    this.wrongs = wrongs;
    this.settings = settings;
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, field) -> fields.put(String.valueOf(key), field == null ? "" : field));
    } else if (!"".equals(value)) {
      wrong(path.isEmpty() ? "the file" : path, value, "a mapping of fields to values");
    }
  }

  private String name(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  private void wrong(String name, Object value, String must) {
    wrongs.add(name + " is \"" + value + "\", but must be " + must);
  }

  private void keep(String field, String type, String byDefault, String bounds, String says) {
    keep(field, type, byDefault, bounds, says, replica);
  }

  private void keep(
      String field, String type, String byDefault, String bounds, String says, Replica where) {
    String shown = name(field).replaceAll("\\[\\d+]", "[]");
    settings.add(new ConfigKey(shown, type, byDefault, bounds, says, where));
  }

  private Object raw(String field, Object otherwise) {
    known.add(field);
    return fields.getOrDefault(field, otherwise);
  }

  Section section(String field, String says) {
    return section(field, says, replica);
  }

  Section section(String field, String says, Replica where) {
    keep(field, ConfigKey.SECTION, "", "", says, where);
    var child = new Section(name(field), raw(field, ""), where, wrongs, settings);
    children.add(child);
    return child;
  }

  /// The mappings of a list; none where there is no list.
  List<Section> sections(String field, String says) {
    keep(field, ConfigKey.SECTION, "", "", says);
    Object value = raw(field, List.of());
    var sections = new ArrayList<Section>();
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        Object element = list.get(i);
        sections.add(
            new Section(
                name(field) + "[" + i + "]",
                element == null ? "" : element,
                replica,
                wrongs,
                settings));
      }
    } else {
      wrong(name(field), value, "a list of mappings");
    }
    children.addAll(sections);
    return sections;
  }

  String text(String field, String says, String otherwise) {
    return text(field, says, otherwise, Form.TEXT);
  }

  String text(String field, String says, String otherwise, Form form) {
    String byDefault = otherwise.isEmpty() ? "\"\"" : otherwise;
    keep(field, form.type(), byDefault, form.bounds(), says);
    Object value = raw(field, otherwise);
    if (value instanceof Map || value instanceof List) {
      wrong(name(field), value, "one word or string");
      return otherwise;
    }
    return String.valueOf(value);
  }

  /// Empty only where that is the default.
  List<String> texts(String field, String says, List<String> otherwise) {
    keep(
        field,
        "list of texts",
        "[" + String.join(", ", otherwise) + "]",
        otherwise.isEmpty() ? "" : "one or more",
        says);
    if (!fields.containsKey(field)) {
      known.add(field);
      return otherwise;
    }
    Object value = raw(field, "");
    if (value instanceof List<?> list && (!list.isEmpty() || otherwise.isEmpty())) {
      return list.stream().map(String::valueOf).toList();
    }
    wrong(name(field), value, "a list of at least one string, like [berth]");
    return otherwise;
  }

  boolean flag(String field, String says, boolean otherwise) {
    keep(field, "true or false", String.valueOf(otherwise), "", says);
    Object value = raw(field, otherwise);
    if (value instanceof Boolean flag) {
      return flag;
    }
    wrong(name(field), value, "true or false");
    return otherwise;
  }

  int whole(String field, String unit, String says, int otherwise, int least, int most) {
    keep(
        field,
        "whole number, " + unit,
        String.valueOf(otherwise),
        most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most,
        says);
    Object value = raw(field, otherwise);
    if (value instanceof Number number
        && number.doubleValue() == Math.rint(number.doubleValue())
        && number.doubleValue() >= least
        && number.doubleValue() <= most) {
      return number.intValue();
    }
    wrong(name(field), value, "a whole number from " + least + " to " + most);
    return otherwise;
  }

  double number(String field, String unit, String says, double otherwise, double moreThan) {
    keep(field, "number, " + unit, plain(otherwise), "above " + plain(moreThan), says);
    Object value = raw(field, otherwise);
    if (value instanceof Number number && number.doubleValue() > moreThan) {
      return number.doubleValue();
    }
    wrong(name(field), value, "a number above " + plain(moreThan));
    return otherwise;
  }

  double number(
      String field, String unit, String says, double otherwise, double least, double most) {
    keep(field, "number, " + unit, plain(otherwise), plain(least) + " to " + plain(most), says);
    Object value = raw(field, otherwise);
    if (value instanceof Number number
        && number.doubleValue() >= least
        && number.doubleValue() <= most) {
      return number.doubleValue();
    }
    wrong(name(field), value, "a number from " + plain(least) + " to " + plain(most));
    return otherwise;
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /// A longest duration that follows from another setting.
  ///
  /// @param of that setting and what is taken of it, such as `half of plan.deadline`
  record Longest(Duration most, String of) {}

  Duration duration(String field, String says, Duration otherwise, Duration least, Duration most) {
    return duration(field, says, otherwise, least, new Longest(most, ""));
  }

  Duration duration(
      String field, String says, Duration otherwise, Duration least, Longest longest) {
    Duration most = longest.most();
    keep(
        field,
        "duration",
        text(otherwise),
        text(least) + " to " + (longest.of().isEmpty() ? text(most) : longest.of()),
        says);
    if (!fields.containsKey(field)) {
      known.add(field);
      return otherwise;
    }
    Object value = raw(field, "");
    var read = Durations.parse(String.valueOf(value));
    if (read.isPresent() && read.get().compareTo(least) >= 0 && read.get().compareTo(most) <= 0) {
      return read.get();
    }
    wrong(
        name(field),
        value,
        ("a duration from " + text(least) + " to " + text(most))
            + (longest.of().isEmpty() ? "" : " (" + longest.of() + ")")
            + ", like 500ms, 20s or 1m30s");
    return otherwise;
  }

  /// `1m30s`, as users write it.
  static String text(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    return duration.toMillis() % 1000 != 0
        ? duration.toMillis() + "ms"
        : duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  <E extends Enum<E>> E word(String field, String says, E otherwise, Class<E> type) {
    String byDefault = word(otherwise);
    String words = choice(Stream.of(type.getEnumConstants()).map(Section::word).toList());
    keep(field, "word", byDefault, words, says);
    Object value = raw(field, byDefault);
    for (E constant : type.getEnumConstants()) {
      if (word(constant).equals(value)) {
        return constant;
      }
    }
    wrong(name(field), value, words);
    return otherwise;
  }

  /// `a, b or c`.
  private static String choice(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.getFirst()
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /// `host:port` with a port from 0 (any free one) to 65535.
  HostPort hostPort(String field, String says, String otherwise) {
    String value = text(field, says, otherwise, new Form("host:port", "ports 0 to 65535"));
    int colon = value.lastIndexOf(':');
    try {
      int port = Integer.parseInt(value.substring(colon + 1));
      if (colon > 0 && port >= 0 && port <= 65535) {
        return new HostPort(value.substring(0, colon), port);
      }
    } catch (NumberFormatException notANumber) {
      // told below
    }
    wrong(name(field), value, "host:port, like 127.0.0.1:8888");
    return new HostPort("127.0.0.1", 8888);
  }

  /// Remembers a wrong that only several fields together show.
  void unless(boolean holds, String field, Object value, String must) {
    if (!holds) {
      wrong(name(field), value, must);
    }
  }

  /// Its new name, if it had another one, else the nearest.
  private String hint(String field) {
    String now = RENAMED.getOrDefault(name(field), "");
    return now.isEmpty() ? Spelling.hint(field, known) : " (it is called " + now + " now)";
  }

  /// Unknown fields are wrong, too.
  void finish() {
    for (String field : fields.keySet()) {
      if (!known.contains(field)) {
        wrongs.add(
            name(field)
                + " is not a field that Berth knows"
                + (path.isEmpty() ? "" : " in " + path)
                + hint(field)
                + "; known are "
                + String.join(", ", known));
      }
    }
    children.forEach(Section::finish);
  }
}
