package dev.berth.engine.request;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Trees in the flow style of YAML, as far as tests need it: `{metadata: {name: a, labels: {x:
/// "1"}}, list: [1, 2.5, true, null]}`. What is quoted, by `"` or `'`, is a text; what is not is a
/// number, a boolean, null, or else a text too. A quote ends at the next one: there are no escapes.
public final class Flow {
  private static final char NO_QUOTE = '\0';

  private final String text;
  private int at;

  private Flow(String text) {
    this.text = text;
  }

  public static Map<?, ?> tree(String text) {
    var flow = new Flow(text);
    if (!(flow.value() instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("no object: " + text);
    }
    flow.skip();
    if (flow.at != text.length()) {
      throw new IllegalArgumentException("more after the end: " + text.substring(flow.at));
    }
    return map;
  }

  private void skip() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean takes(char c) {
    skip();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!takes(c)) {
      throw new IllegalArgumentException("no " + c + " at " + at + " of " + text);
    }
  }

  private @Nullable Object value() {
    if (takes('{')) {
      return map();
    }
    if (takes('[')) {
      return list();
    }
    char quote = quote();
    return quote == NO_QUOTE ? plain(word()) : quoted(quote);
  }

  private Map<String, @Nullable Object> map() {
    var map = new LinkedHashMap<String, @Nullable Object>();
    while (!takes('}')) {
      char quote = quote();
      String key = quote == NO_QUOTE ? word() : quoted(quote);
      expect(':');
      map.put(key, value());
      takes(',');
    }
    return map;
  }

  private List<@Nullable Object> list() {
    var list = new ArrayList<@Nullable Object>();
    while (!takes(']')) {
      list.add(value());
      takes(',');
    }
    return list;
  }

  private char quote() {
    return takes('"') ? '"' : takes('\'') ? '\'' : NO_QUOTE;
  }

  private String quoted(char quote) {
    int end = text.indexOf(quote, at);
    if (end < 0) {
      throw new IllegalArgumentException("no closing " + quote + " after " + at + " of " + text);
    }
    String quoted = text.substring(at, end);
    at = end + 1;
    return quoted;
  }

  private String word() {
    skip();
    int start = at;
    while (at < text.length()
        && ",[]{}\n".indexOf(text.charAt(at)) < 0
        && !(text.charAt(at) == ':' && at + 1 < text.length() && text.charAt(at + 1) == ' ')) {
      at++;
    }
    return text.substring(start, at).trim();
  }

  private static @Nullable Object plain(String word) {
    return switch (word) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> {
        if (word.matches("-?\\d{1,9}")) {
          yield Integer.valueOf(word);
        }
        yield word.matches("-?\\d+\\.\\d+") ? Double.valueOf(word) : word;
      }
    };
  }
}
