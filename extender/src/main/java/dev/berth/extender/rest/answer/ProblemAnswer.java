package dev.berth.extender.rest.answer;

/// A problem document (RFC 9457).
///
/// @param title the same for all problems of a type
/// @param detail a sentence: the object, the field, the value, and the way out
/// @param field of the question that is wrong; empty = none is
public record ProblemAnswer(String type, String title, int status, String detail, String field) {}
