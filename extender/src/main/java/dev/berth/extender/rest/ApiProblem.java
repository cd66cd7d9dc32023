package dev.berth.extender.rest;

import dev.berth.extender.rest.answer.ProblemAnswer;
import java.util.Locale;

/// A question is not answered: the problem document says why, and what to do. Unchecked, as it may
/// come of any look at what the client may see.
public final class ApiProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Kind kind;
  private final String field;

  /// Types of problems, each with its status.
  public enum Kind {
    UNREADABLE(400, "The question cannot be read"),
    INVALID(400, "A value is invalid"),
    NO_TOKEN(401, "A token is missing or unknown"),
    FORBIDDEN(403, "The right is missing"),
    NOT_FOUND(404, "There is no such object"),
    TOO_LARGE(413, "The question is too large"),
    BUSY(503, "Too many questions at once"),
    UNJUDGED(503, "Rights could not be checked"),
    NOT_YET(503, "The answer is not there yet"),
    INTERNAL_ERROR(500, "Internal error");

    private final int status;
    private final String title;

    Kind(int status, String title) {
      this.status = status;
      this.title = title;
    }
  }

  /// @param field of the question that is wrong; empty = none is
  /// @param detail a sentence that names the object, the field, the value and the way out
  public ApiProblem(Kind kind, String field, String detail) {
    super(detail);
    this.kind = kind;
    this.field = field;
  }

  public static ApiProblem invalid(String field, Object value, String must) {
    return new ApiProblem(
        Kind.INVALID, field, field + " is \"" + shortened(value) + "\", but must be " + must);
  }

  private static String shortened(Object value) {
    String text = String.valueOf(value).replaceAll("\\p{Cntrl}", " ");
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  public static ApiProblem notFound(String what, String name, String wayOut) {
    return new ApiProblem(
        Kind.NOT_FOUND, "", "There is no " + what + " " + shortened(name) + ": " + wayOut);
  }

  public int status() {
    return kind.status;
  }

  /// Whether the same question may be answered in a moment.
  boolean isPassing() {
    return kind.status == 503;
  }

  ProblemAnswer answer() {
    String type = "urn:berth:problem:" + kind.name().toLowerCase(Locale.ROOT);
    return new ProblemAnswer(type, kind.title, kind.status, String.valueOf(getMessage()), field);
  }
}
