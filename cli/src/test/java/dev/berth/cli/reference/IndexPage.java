package dev.berth.cli.reference;

import java.util.List;

/// What there is in `docs/reference`.
public final class IndexPage {
  private IndexPage() {}

  public static ReferencePage page(List<ReferencePage> pages) {
    var page = new Markdown();
    page.paragraph(
        "Names, types, defaults and texts of everything that Berth reads, writes and answers, made"
            + " from the code. Explanations, examples and advice are in the other"
            + " [pages](../README.md).");
    page.list(
        pages.stream()
            .map(each -> "[" + each.title() + "](" + each.file() + "): " + each.says())
            .toList());
    page.paragraph(
        "`.ci/reference` writes these pages, and the build fails while one of them is not what the"
            + " code says.");
    return new ReferencePage("README.md", "Reference", "", page.text());
  }
}
