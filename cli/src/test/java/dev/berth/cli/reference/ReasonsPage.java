package dev.berth.cli.reference;

import static dev.berth.cli.reference.Markdown.prose;

import dev.berth.cli.reference.SourceComments.Commented;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Reasons why a group waits: what each means by its comment, and what it says by example.
public final class ReasonsPage {
  private static final String REASON = "engine/src/main/java/dev/berth/engine/model/Reason.java";
  private static final String SITUATIONS = "docs/users/reasons.md";
  private static final String HELPS = " Helps: ";

  /// A situation that is played on a real control plane, and the code that its pod has.
  private static final Pattern PLAYED =
      Pattern.compile("\\| (\\[[a-z0-9-]+]\\(\\.\\./\\.\\./e2e/[^)]+\\)) \\| (\\w+): ");

  private ReasonsPage() {}

  public static ReferencePage page(Path root) throws IOException {
    var page = new Markdown();
    page.paragraph(
        "Why a group waits: a closed list. The code is the same word everywhere: `status.reason` of"
            + " the PodGroup and the reason of its condition `Scheduled`; the reason of events of"
            + " pod and PodGroup; the label `reason` of [metrics](metrics.md); the REST API; log"
            + " lines. In the condition `PodScheduled` of a pod it stands before the message,"
            + " since the reason of that condition stays `SchedulingGated`. A queue that cannot be"
            + " used has it as the reason of its condition `Ready`.");
    page.paragraph(
        "What each means in practice, and what helps:"
            + " [policy.md](../users/policy.md#why-is-my-pod-waiting). Messages of real situations,"
            + " word by word: [users/reasons.md](../users/reasons.md). The numbers and names below"
            + " are examples. Where *others or time end it*, nothing has to be changed, and the"
            + " [REST API](rest.md#forecast) may have a forecast of the start.");
    var played = played(root);
    for (var of : samples(root).entrySet()) {
      page.section(of.getKey());
      page.paragraph(prose(of.getValue().comment()));
      for (Reason example : of.getValue().examples()) {
        String sentence = Sentences.of(example);
        int helps = sentence.indexOf(HELPS);
        page.quote(prose(sentence.substring(0, helps)));
        page.list(
            List.of(
                "Helps: " + prose(sentence.substring(helps + HELPS.length())),
                "Others or time end it: " + (example.startsByItself() ? "yes" : "no") + "."));
      }
      var situations = played.getOrDefault(of.getKey(), List.of());
      if (!situations.isEmpty()) {
        page.paragraph("Played: " + String.join(", ", situations) + ".");
      }
    }
    return new ReferencePage(
        "reasons.md", "Reasons", "reasons of waiting groups, with an example of each", page.text());
  }

  /// @param comment of its record
  private record Explained(String comment, List<Reason> examples) {}

  private static TreeMap<String, Explained> samples(Path root) throws IOException {
    var examples = new TreeMap<String, List<Reason>>();
    for (Reason reason : ReasonSamples.ALL) {
      examples.computeIfAbsent(reason.code(), _ -> new ArrayList<>()).add(reason);
    }
    var explained = new TreeMap<String, Explained>();
    for (Commented comment : SourceComments.records(root.resolve(REASON))) {
      if (examples.containsKey(comment.name())) {
        explained.put(
            comment.name(), new Explained(comment.comment(), examples.get(comment.name())));
      }
    }
    return explained;
  }

  private static TreeMap<String, List<String>> played(Path root) throws IOException {
    var played = new TreeMap<String, List<String>>();
    PLAYED
        .matcher(Files.readString(root.resolve(SITUATIONS)))
        .results()
        .forEach(
            row -> played.computeIfAbsent(row.group(2), _ -> new ArrayList<>()).add(row.group(1)));
    return played;
  }
}
