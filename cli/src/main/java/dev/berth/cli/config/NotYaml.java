package dev.berth.cli.config;

import com.fasterxml.jackson.core.JacksonException;
import java.util.regex.Pattern;

/// What a YAML parser says, in one line.
final class NotYaml {
  /// Where it noticed it: ` in 'reader', line 2, column 1:`, with the line itself after it.
  /// Jackson's own line is that of the token before.
  private static final Pattern PLACE = Pattern.compile("\\s+in '[^']*', line (\\d+), column \\d+:");

  private NotYaml() {}

  /// `found character '\t(TAB)' that cannot start any token (line 2)`: the last thing that it says,
  /// and where.
  static String words(JacksonException malformed) {
    String message = malformed.getOriginalMessage();
    var place = PLACE.matcher(message);
    int from = 0;
    String words = "";
    String line = "";
    while (place.find()) {
      String before = message.substring(from, place.start());
      words = before.substring(before.lastIndexOf('\n') + 1).strip();
      line = place.group(1);
      from = place.end();
    }
    return line.isEmpty()
        ? message + " (line " + malformed.getLocation().getLineNr() + ")"
        : words + " (line " + line + ")";
  }
}
