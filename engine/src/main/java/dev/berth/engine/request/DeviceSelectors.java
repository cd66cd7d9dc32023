package dev.berth.engine.request;

import dev.berth.engine.model.DeviceMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Device selectors, as far as they are plain: equalities joined by `&&`. What else an expression
/// says, or what such an equality is part of, (it is CEL) is left to kube-scheduler, so that at
/// worst too many devices seem to match. So is what one holder has beyond a bound.
///
/// Attributes are compared as text, so that a number is understood in the form alone in which
/// slices have it: what CEL takes for the same (`00`, `-0`, `0x0`, `0.0`, `0u`) is not.
final class DeviceSelectors {
  private static final Pattern DRIVER =
      Pattern.compile("\\s*device\\.driver\\s*==\\s*[\"']([^\"']*)[\"']\\s*");
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "\\s*device\\.attributes\\[[\"']([^\"']*)[\"']\\]\\.([A-Za-z0-9_]+)\\s*==\\s*"
              + "(?:[\"']([^\"']*)[\"']|(true|false|0|-?[1-9][0-9]{0,17}))\\s*");

  private static final int MOST = 256;

  private DeviceSelectors() {}

  /// How much there is to be compared in one selector.
  static long words(ManifestTree selector) {
    return 1L + selector.object("cel").text("expression").split("&&", -1).length;
  }

  /// @param holder of a field `selectors`
  static List<DeviceMatch> of(ManifestTree holder) {
    var matches = new ArrayList<DeviceMatch>();
    long words = 0;
    for (ManifestTree selector : holder.objects("selectors")) {
      words += words(selector);
      if (words > MOST) {
        break;
      }
      var match = read(selector.object("cel").text("expression"));
      if (!match.driver().isEmpty() || !match.attributes().isEmpty()) {
        matches.add(match);
      }
    }
    return matches;
  }

  private static DeviceMatch read(String expression) {
    String driver = "";
    var attributes = new TreeMap<String, String>();
    for (String part : parts(expression)) {
      var ofDriver = DRIVER.matcher(part);
      var ofAttribute = ATTRIBUTE.matcher(part);
      if (ofDriver.matches()) {
        driver = ofDriver.group(1);
      } else if (ofAttribute.matches()) {
        var text = ofAttribute.group(3);
        attributes.put(
            ofAttribute.group(1) + "/" + ofAttribute.group(2),
            text == null ? ofAttribute.group(4) : text);
      }
    }
    return new DeviceMatch(driver, attributes);
  }

  /// What must all hold for the expression to hold: the operands of `&&` outside of brackets and
  /// strings, of an expression without `||` and `?` there. None where it has comments, escapes or
  /// long strings, which are not read: then nothing is known of it.
  private static List<String> parts(String expression) {
    var parts = new ArrayList<String>();
    int begin = 0;
    int depth = 0;
    char quote = 0; // of the string that it is in
    for (int i = 0; i < expression.length(); i++) {
      char at = expression.charAt(i);
      if (at == '\\' || quote == 0 && expression.startsWith("//", i)) {
        return List.of();
      }
      if (quote != 0) {
        quote = at == quote ? 0 : quote;
      } else if (at == '"' || at == '\'') {
        if (expression.startsWith(String.valueOf(at).repeat(3), i)) {
          return List.of();
        }
        quote = at;
      } else if ("([{".indexOf(at) >= 0) {
        depth++;
      } else if (")]}".indexOf(at) >= 0) {
        depth--;
      } else if (depth == 0 && (at == '?' || at == '|')) {
        return List.of();
      } else if (depth == 0 && expression.startsWith("&&", i)) {
        parts.add(expression.substring(begin, i));
        begin = i + 2;
        i++;
      }
    }
    parts.add(expression.substring(begin));
    return parts;
  }
}
