package dev.berth.extender.tls;

/// The files of a certificate cannot be used; the message names the file and the way out.
public final class UnusableCertificates extends Exception {
  private static final long serialVersionUID = 1;

  UnusableCertificates(String message) {
    super(message);
  }

  UnusableCertificates(String message, Throwable cause) {
    super(message, cause);
  }
}
