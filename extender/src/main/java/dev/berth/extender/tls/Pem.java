package dev.berth.extender.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One PEM file, as it was at one moment.
record Pem(Path file, String text) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");

  static Pem read(Path file) throws UnusableCertificates {
    try {
      return new Pem(file, Files.readString(file, StandardCharsets.US_ASCII));
    } catch (IOException unreadable) {
      throw new UnusableCertificates(
          file
              + " cannot be read ("
              + unreadable.getClass().getSimpleName()
              + "): mount the secret there, or name another file in extender.tls",
          unreadable);
    }
  }

  /// What a file holds that says this.
  ///
  /// @param label `CERTIFICATE` or `PRIVATE KEY`
  static String text(String label, byte[] bytes) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
  }

  /// At least one.
  List<X509Certificate> certificates() throws UnusableCertificates {
    try {
      var read =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
      if (read.isEmpty()) {
        throw new UnusableCertificates(
            file + " holds no certificate: it begins with -----BEGIN CERTIFICATE-----");
      }
      return read.stream().map(X509Certificate.class::cast).toList();
    } catch (CertificateException bad) {
      throw new UnusableCertificates(
          file + " holds no certificate in PEM: " + bad.getMessage(), bad);
    }
  }

  PrivateKey key() throws UnusableCertificates {
    Matcher found = KEY.matcher(text);
    if (!found.find()) {
      throw new UnusableCertificates(
          file
              + " holds no key that begins with -----BEGIN PRIVATE KEY-----. To turn another one"
              + " into it: openssl pkcs8 -topk8 -nocrypt; with cert-manager:"
              + " privateKey.encoding: PKCS8");
    }
    try {
      var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
      for (String algorithm : ALGORITHMS) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (GeneralSecurityException another) {
          continue; // the file does not say which it is
        }
      }
    } catch (IllegalArgumentException notBase64) {
      throw new UnusableCertificates(file + " is broken: " + notBase64.getMessage(), notBase64);
    }
    throw new UnusableCertificates(
        file + " holds a key that is none of " + String.join(", ", ALGORITHMS));
  }
}
