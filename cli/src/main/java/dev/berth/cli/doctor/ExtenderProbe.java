package dev.berth.cli.doctor;

import dev.berth.cli.doctor.ExtenderReply.ServerCertificate;
import dev.berth.engine.request.ManifestTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// Asks what answers at an extender's address, as kube-scheduler would reach it: `/healthz` and
/// `/leadz`, which show no secret and need no certificate. Any certificate is accepted, to say what
/// is wrong with it.
final class ExtenderProbe {
  private static final int TIMEOUT_MILLIS = 3000;
  private static final int LONGEST_STATUS = 256;

  private ExtenderProbe() {}

  static ExtenderReply ask(ManifestTree extender) {
    String url = extender.text("urlPrefix");
    URI address;
    try {
      address = URI.create(url);
    } catch (IllegalArgumentException malformed) {
      return ExtenderReply.failed("urlPrefix \"" + url + "\" is no URL");
    }
    String host = address.getHost();
    if (host == null) {
      return ExtenderReply.failed("urlPrefix \"" + url + "\" names no host");
    }
    boolean tls = "https".equals(address.getScheme());
    int port = address.getPort() >= 0 ? address.getPort() : tls ? 443 : 80;
    var certificates = new ArrayList<ServerCertificate>();
    try {
      int health = status(host, port, tls, "/healthz", extender, certificates);
      int ready = status(host, port, tls, "/leadz", extender, new ArrayList<>());
      return new ExtenderReply(health, ready, "", certificates);
    } catch (IOException | GeneralSecurityException failed) {
      String why = String.valueOf(failed.getMessage());
      return new ExtenderReply(0, 0, failed.getClass().getSimpleName() + ": " + why, certificates);
    }
  }

  private static int status(
      String host,
      int port,
      boolean tls,
      String path,
      ManifestTree extender,
      List<ServerCertificate> certificates)
      throws IOException, GeneralSecurityException {
    try (var plain = new Socket()) {
      plain.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      plain.setSoTimeout(TIMEOUT_MILLIS);
      Socket socket = plain;
      if (tls) {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anyone()}, new SecureRandom());
        var secure = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
        secure.startHandshake();
        certificates.add(certificate(secure.getSession().getPeerCertificates(), extender));
        socket = secure;
      }
      String request =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: "
              + host
              + ":"
              + port
              + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return statusLine(socket.getInputStream());
    }
  }

  private static int statusLine(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n' && line.length() < LONGEST_STATUS; c = in.read()) {
      line.append((char) c);
    }
    String[] words = line.toString().trim().split(" ", -1);
    if (!words[0].startsWith("HTTP/") || words.length < 2 || !words[1].matches("\\d{3}")) {
      throw new IOException("it does not speak HTTP");
    }
    return Integer.parseInt(words[1]);
  }

  private static ServerCertificate certificate(Certificate[] chain, ManifestTree extender)
      throws CertificateParsingException {
    var server = (X509Certificate) chain[0];
    var names = new ArrayList<String>();
    Collection<List<?>> alternatives = server.getSubjectAlternativeNames();
    if (alternatives != null) {
      for (List<?> alternative : alternatives) {
        names.add(String.valueOf(alternative.get(1)));
      }
    }
    String issue = distrust(server, extender.object("tlsConfig"));
    return new ServerCertificate(
        server.getNotBefore().toInstant(),
        server.getNotAfter().toInstant(),
        names,
        issue.isEmpty(),
        issue);
  }

  /// Empty where the configured CA signed it, or where the CA cannot be read from here.
  private static String distrust(X509Certificate server, ManifestTree tls) {
    if (tls.flag("insecure")) {
      return "";
    }
    byte[] pem;
    try {
      if (tls.has("caData")) {
        pem = Base64.getDecoder().decode(tls.text("caData"));
      } else if (Files.isReadable(Path.of(tls.text("caFile")))) {
        pem = Files.readAllBytes(Path.of(tls.text("caFile")));
      } else {
        return "";
      }
    } catch (IOException | IllegalArgumentException unreadable) {
      return "the CA cannot be read: " + unreadable.getMessage();
    }
    try {
      for (Certificate authority :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))) {
        if (signs(authority, server)) {
          return "";
        }
      }
      return "none of the CA's keys signed it (issuer " + server.getIssuerX500Principal() + ")";
    } catch (GeneralSecurityException noCertificates) {
      return "the CA is no certificate: " + noCertificates.getMessage();
    }
  }

  private static boolean signs(Certificate authority, X509Certificate server) {
    try {
      server.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException another) {
      return false;
    }
  }

  private static final class Anyone implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
