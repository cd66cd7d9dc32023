package dev.berth.cli;

import dev.berth.controllers.crd.Printable;
import java.io.PrintStream;

/// Where commands print what files, clusters and exceptions say. Each text is one line, whatever is
/// in it: names that strangers chose neither steer the terminal nor add lines ([Printable]).
final class SingleLineOutput {
  private final PrintStream to;

  SingleLineOutput(PrintStream to) {
    this.to = to;
  }

  /// For what goes wrong.
  static SingleLineOutput errors() {
    return new SingleLineOutput(System.err);
  }

  /// Each line of what an exception says, after the name of the program.
  static void wrong(Exception said) {
    errors().tell(said);
  }

  /// Each line of what an exception says, after the name of the program.
  void tell(Exception said) {
    String.valueOf(said.getMessage()).lines().forEach(this::say);
  }

  /// A sentence of the program about itself, after its name.
  void say(String sentence) {
    println("berth: " + sentence);
  }

  void println(String line) {
    to.println(Printable.line(line));
  }

  void println() {
    to.println();
  }
}
