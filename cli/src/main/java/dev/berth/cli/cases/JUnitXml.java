package dev.berth.cli.cases;

import dev.berth.controllers.crd.Printable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// Verdicts as JUnit XML, as build servers read it: a suite for each folder, deviations as skipped.
public final class JUnitXml {
  private JUnitXml() {}

  public static void write(Path file, List<CaseVerdict> verdicts) throws IOException {
    var folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    try (var out = Files.newBufferedWriter(file)) {
      write(out, verdicts);
    }
  }

  static void write(Writer out, List<CaseVerdict> verdicts) throws IOException {
    try {
      var xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeStartElement("testsuites");
      for (var suite : bySuite(verdicts).entrySet()) {
        suite(xml, suite.getKey(), suite.getValue());
      }
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.flush();
    } catch (XMLStreamException failed) {
      throw new IOException(failed);
    }
  }

  private static TreeMap<String, List<CaseVerdict>> bySuite(List<CaseVerdict> verdicts) {
    var suites = new TreeMap<String, List<CaseVerdict>>();
    for (var verdict : verdicts) {
      var folder = Path.of(verdict.file()).getParent();
      suites
          .computeIfAbsent(folder == null ? "." : folder.toString(), _ -> new ArrayList<>())
          .add(verdict);
    }
    return suites;
  }

  private static void suite(XMLStreamWriter xml, String name, List<CaseVerdict> verdicts)
      throws XMLStreamException {
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", printable(name));
    xml.writeAttribute("tests", Integer.toString(verdicts.size()));
    xml.writeAttribute("failures", count(verdicts, CaseVerdict.Outcome.FAILED));
    xml.writeAttribute("skipped", count(verdicts, CaseVerdict.Outcome.DEVIATION));
    xml.writeAttribute("errors", "0");
    for (var verdict : verdicts) {
      test(xml, name, verdict);
    }
    xml.writeEndElement();
  }

  private static String count(List<CaseVerdict> verdicts, CaseVerdict.Outcome outcome) {
    return Long.toString(verdicts.stream().filter(v -> v.outcome() == outcome).count());
  }

  private static void test(XMLStreamWriter xml, String suite, CaseVerdict verdict)
      throws XMLStreamException {
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", printable(suite));
    xml.writeAttribute("name", printable(verdict.name()));
    xml.writeAttribute("file", printable(verdict.file()));
    xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", verdict.took().toNanos() / 1e9));
    switch (verdict.outcome()) {
      case PASSED -> {}
      case FAILED -> {
        xml.writeStartElement("failure");
        xml.writeAttribute("message", printable(verdict.unmet().getFirst()));
        xml.writeCharacters(
            String.join("\n", verdict.unmet().stream().map(JUnitXml::printable).toList()));
        xml.writeEndElement();
      }
      case DEVIATION -> {
        xml.writeStartElement("skipped");
        xml.writeAttribute("message", printable(verdict.deviation()));
        xml.writeEndElement();
      }
    }
    xml.writeEndElement();
  }

  /// One line; XML has no way to write most control characters.
  private static String printable(String text) {
    return Printable.line(text);
  }
}
