package dev.berth.engine.request;

import java.util.regex.Pattern;

/// What the status of a holder says of its device: its init container prints the device as its last
/// words, or something keeps it from doing so.
///
/// @param device empty = not told
/// @param trouble what stands in the way; empty = nothing, it may only take its time
record LastWords(String device, String trouble) {
  private static final LastWords NOT_YET = new LastWords("", "");

  /// One device: a UUID, or whatever the device plugin calls it. A path, a list, or a word that
  /// means no device or all of them is none.
  private static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");

  private static final Pattern NO_DEVICE = Pattern.compile("all|none|void|");
  private static final Pattern USUAL =
      Pattern.compile("PodInitializing|ContainerCreating|ContainersNotInitialized|");
  private static final int LONGEST = 160;

  static LastWords of(Tree status) {
    if (status.text("phase").equals("Failed")) {
      return trouble("refused by its kubelet", status.text("reason"), status.text("message"));
    }
    for (Tree container : status.objects("initContainerStatuses")) {
      Tree state = container.object("state");
      Tree waiting = state.object("waiting");
      if (!USUAL.matcher(waiting.text("reason")).matches()) {
        return trouble("does not start", waiting.text("reason"), waiting.text("message"));
      }
      Tree ended = state.object("terminated");
      if (ended.number("exitCode", 0).orElse(0) != 0) {
        return trouble("failed to report", ended.text("reason"), ended.text("message"));
      }
      if (ended.has("exitCode") || ended.has("message")) {
        return reported(ended.text("message").trim());
      }
    }
    return NOT_YET;
  }

  private static LastWords reported(String words) {
    boolean device = DEVICE.matcher(words).matches() && !NO_DEVICE.matcher(words).matches();
    return device
        ? new LastWords(words, "")
        : trouble(
            "reports no device in NVIDIA_VISIBLE_DEVICES (the device plugin's deviceListStrategy"
                + " must be envvar)",
            "",
            words);
  }

  private static LastWords trouble(String what, String reason, String message) {
    String text = message.replaceAll("\\s+", " ").trim();
    String end = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    return new LastWords(
        "", what + (reason.isEmpty() ? "" : ": " + reason) + (end.isEmpty() ? "" : ": " + end));
  }
}
