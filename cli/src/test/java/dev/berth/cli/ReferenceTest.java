package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.config.SettingsPage;
import dev.berth.cli.reference.ApiPage;
import dev.berth.cli.reference.CommandsPage;
import dev.berth.cli.reference.IndexPage;
import dev.berth.cli.reference.MetricsPage;
import dev.berth.cli.reference.ReasonsPage;
import dev.berth.cli.reference.ReferencePage;
import dev.berth.cli.reference.RestPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The pages of `docs/reference` are what the code says now. `.ci/reference` writes them. No other
/// class runs beside it: it sets the locale of the process.
@Isolated
final class ReferenceTest {
  private static final Path FOLDER = Repository.root().resolve("docs/reference");

  static List<ReferencePage> pages() throws Exception {
    Path root = Repository.root();
    var pages =
        new ArrayList<>(
            List.of(
                ApiPage.page(root),
                CommandsPage.page(Main.commandLine()),
                MetricsPage.page(new Metrics().registry()),
                ReasonsPage.page(root),
                RestPage.page(root),
                SettingsPage.page()));
    pages.addFirst(IndexPage.page(pages));
    return pages;
  }

  @BeforeAll
  static void writes() throws Exception {
    if (System.getProperty("berth.reference", "").equals("write")) {
      Files.createDirectories(FOLDER);
      for (ReferencePage page : pages()) {
        Files.writeString(FOLDER.resolve(page.file()), page.text());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void thePageIsWhatTheCodeSays(ReferencePage page) throws Exception {
    Path file = FOLDER.resolve(page.file());
    assertThat(file).as("run .ci/reference, which writes it").exists();
    assertThat(difference(Files.readString(file), page.text()))
        .as(
            "docs/reference/%s is not what the code says: run .ci/reference, and commit what it"
                + " writes",
            page.file())
        .isEmpty();
  }

  @Test
  void theFolderHasNoOtherPage() throws Exception {
    try (var files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(pages().stream().map(ReferencePage::file).toList());
    }
  }

  @Test
  void aPageDependsOnNeitherLocaleNorTimeZone() throws Exception {
    var there = pages();
    var locale = Locale.getDefault();
    var zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Chatham"));
      assertThat(pages()).isEqualTo(there);
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void everyCommandSaysItsExitStatuses() {
    for (var command : CommandsPage.commands(Main.commandLine())) {
      assertThat(command.getCommandSpec().usageMessage().exitCodeList())
          .as("exit statuses of %s", command.getCommandSpec().qualifiedName())
          .isNotEmpty();
    }
  }

  @Test
  void theTestTellsTheFirstLineThatDiffers() {
    assertThat(difference("a\nb\nc\n", "a\nB\nc\n")).isEqualTo("line 2 is\n  b\nand must be\n  B");
    assertThat(difference("a\n", "a\nb\n")).isEqualTo("line 2 is\n  (none)\nand must be\n  b");
    assertThat(difference("a\n", "a\n")).isEmpty();
  }

  /// Of two long texts one line tells more than both.
  private static String difference(String there, String expected) {
    var lines = there.lines().toList();
    var must = expected.lines().toList();
    for (int i = 0; i < Math.max(lines.size(), must.size()); i++) {
      String is = i < lines.size() ? lines.get(i) : "(none)";
      String shall = i < must.size() ? must.get(i) : "(none)";
      if (!is.equals(shall)) {
        return "line " + (i + 1) + " is\n  " + is + "\nand must be\n  " + shall;
      }
    }
    return "";
  }
}
