package dev.berth.extender.dashboard;

import dev.berth.extender.bounds.BoundedAnswers;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// The pages' files. They hold no data, so they are shown to all clients that reach the port; what
/// the pages show, they ask the REST API for.
public final class Dashboard {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String JAVASCRIPT = "text/javascript;charset=utf-8";
  private static final String CSS = "text/css;charset=utf-8";

  /// Front-end libraries come as jars (WebJars), with their versions in the path; pom.xml has the
  /// same.
  private static final String PREACT = "/META-INF/resources/webjars/preact/10.28.0/";

  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final List<PageFile> FILES =
      List.of(
          own("", "index.html", "text/html;charset=utf-8"),
          own("style.css", "style.css", CSS),
          own("icon.svg", "icon.svg", "image/svg+xml"),
          script("api.js"),
          script("cluster.js"),
          script("evictions.js"),
          script("main.js"),
          script("map.js"),
          script("offers.js"),
          script("palette.js"),
          script("queues.js"),
          script("ui.js"),
          script("whatif.js"),
          script("workloads.js"),
          new PageFile("lib/preact.js", PREACT + "dist/preact.min.umd.js", JAVASCRIPT),
          new PageFile("lib/hooks.js", PREACT + "hooks/dist/hooks.umd.js", JAVASCRIPT),
          new PageFile("lib/uplot.js", UPLOT + "uPlot.iife.min.js", JAVASCRIPT),
          new PageFile("lib/uplot.css", UPLOT + "uPlot.min.css", CSS));

  /// @param path below `/`
  /// @param resource on the class path
  private record PageFile(String path, String resource, String type) {}

  private Dashboard() {}

  private static PageFile own(String path, String name, String type) {
    return new PageFile(path, "/dev/berth/extender/dashboard/" + name, type);
  }

  private static PageFile script(String name) {
    return own("js/" + name, "js/" + name, JAVASCRIPT);
  }

  /// @throws IllegalStateException the build lacks a file
  public static void routes(RoutesConfig routes) {
    var answers = new BoundedAnswers();
    for (PageFile file : FILES) {
      byte[] bytes = read(file.resource());
      String tag = "\"" + hash(bytes) + "\"";
      routes.get("/" + file.path(), http -> answer(http, answers, file, bytes, tag));
    }
  }

  private static void answer(
      Context http, BoundedAnswers answers, PageFile file, byte[] bytes, String tag) {
    http.header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("Cache-Control", "no-cache") // asked each time, sent when it is another
        .header("ETag", tag);
    if (tag.equals(http.header("If-None-Match"))) {
      http.status(304);
    } else {
      answers.later(http.contentType(file.type()), "", bytes);
    }
  }

  private static byte[] read(String resource) {
    try (var in = Dashboard.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + resource);
      }
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static String hash(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, 12);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
