package dev.berth.extender.tls;

import dev.berth.extender.bounds.Addresses;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// What a connection is made of, and which clients may ask on it.
public sealed interface Transport {
  int STREAMS = 100_000;

  /// From the outside in.
  ///
  /// @param addresses what clients of one may send
  ConnectionFactory[] over(HttpConfiguration http, Addresses addresses);

  /// @param path whose routes require a client that may ask
  void guard(RoutesConfig routes, String path);

  /// A client that may ask has as many questions under way as it likes, a gang in bind among them:
  /// more than the largest has members. Strangers have few.
  static void manyStreams(HTTP2Session client) {
    if (client.getMaxRemoteStreams() < STREAMS) {
      client.setMaxRemoteStreams(STREAMS);
      client.settings(
          new SettingsFrame(Map.of(SettingsFrame.MAX_CONCURRENT_STREAMS, STREAMS), false),
          Callback.NOOP);
    }
  }

  /// Whether a client has shown a certificate, which then is one of Berth.
  static boolean isKnown(EndPoint.@Nullable SslSessionData session) {
    var shown = session == null ? null : session.peerCertificates();
    return shown != null && shown.length > 0;
  }

  /// All clients that reach Berth may ask.
  record Plain() implements Transport {
    @Override
    public ConnectionFactory[] over(HttpConfiguration http, Addresses addresses) {
      return new ConnectionFactory[] {new HttpConnectionFactory(http)};
    }

    @Override
    public void guard(RoutesConfig routes, String path) {
      // no client is turned away
    }
  }

  /// A certificate that is shown is one of Berth, or there is no connection.
  ///
  /// HTTP/2, which Go's client speaks over TLS alone: all binds of a gang come on one connection.
  /// Over HTTP/1.1 each waiting bind would be a connection and a handshake of its own, as Go keeps
  /// two idle ones at most.
  record Mutual(Certificates certificates) implements Transport {
    /// Until a question comes with a certificate, [#manyStreams].
    private static final int STREAMS_OF_STRANGERS = 32;

    /// As clients write it in their offer, which Jetty compares letter by letter.
    private static final String HTTP_1_1 = "http/1.1";

    private static final String SHOWN = "jakarta.servlet.request.X509Certificate";

    @Override
    public ConnectionFactory[] over(HttpConfiguration http, Addresses addresses) {
      // A kube-scheduler on its host's network calls Berth by address: the name is in its TLS
      // alone.
      http.addCustomizer(new SecureRequestCustomizer(false));
      var one = new HttpConnectionFactory(http);
      var two = new HTTP2ServerConnectionFactory(http);
      two.setMaxConcurrentStreams(STREAMS_OF_STRANGERS);
      var chosen = new ALPNServerConnectionFactory(two.getProtocol(), HTTP_1_1);
      chosen.setDefaultProtocol(one.getProtocol());
      return new ConnectionFactory[] {
        new BoundedTls(certificates, chosen.getProtocol(), addresses), chosen, two, one
      };
    }

    @Override
    public void guard(RoutesConfig routes, String path) {
      routes.before(path, this::admit);
    }

    private void admit(Context http) {
      var shown = http.req().getAttribute(SHOWN);
      var name =
          shown instanceof X509Certificate[] chain && chain.length > 0
              ? commonName(chain[0])
              : Optional.<String>empty();
      if (name.isEmpty()) {
        refuse(
            http,
            401,
            "no client certificate was shown. Set tlsConfig.certFile and keyFile of the extender in"
                + " kube-scheduler's configuration");
      } else if (!mayAsk(name.get(), certificates.clients())) {
        refuse(
            http,
            403,
            "the client certificate is "
                + name.get()
                + "'s, but extender.tls.clients.names lets "
                + String.join(", ", certificates.clients())
                + " ask alone");
      }
    }

    private static boolean mayAsk(String name, List<String> clients) {
      return clients.isEmpty() || clients.contains(name);
    }

    private static void refuse(Context http, int status, String why) {
      http.status(status).result("berth: " + why).skipRemainingHandlers();
    }

    private static Optional<String> commonName(X509Certificate certificate) {
      try {
        return new LdapName(certificate.getSubjectX500Principal().getName())
            .getRdns().stream()
                .filter(part -> part.getType().equalsIgnoreCase("CN"))
                .map(part -> String.valueOf(part.getValue()))
                .findFirst();
      } catch (InvalidNameException unreadable) {
        return Optional.empty();
      }
    }
  }
}
