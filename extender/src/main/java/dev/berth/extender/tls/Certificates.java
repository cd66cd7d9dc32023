package dev.berth.extender.tls;

import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.http2.HTTP2Cipher;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// What connections show and believe now. Connections that are open stay as they began; new ones
/// begin with what was given last. Any thread.
public final class Certificates {
  private final List<String> clients;
  private final SslContextFactory.Server context = new CheapHandshakes();
  private PresentedIdentity shown;

  /// The JDK agrees on keys by 8192-bit Diffie-Hellman where a client asks for it alone, which
  /// costs 0.2 s of a processor each time, and the client nothing.
  private static final class CheapHandshakes extends SslContextFactory.Server {
    private static final String[] GROUPS = {"x25519", "secp256r1"};

    @Override
    public void customize(SSLEngine engine) {
      super.customize(engine);
      var parameters = engine.getSSLParameters();
      parameters.setNamedGroups(GROUPS);
      engine.setSSLParameters(parameters);
    }
  }

  /// @param clients common names that may ask; empty = all with a trusted certificate
  Certificates(List<String> clients, PresentedIdentity first) throws UnusableCertificates {
    this.clients = List.copyOf(clients);
    this.shown = first;
    first.giveTo(context);
    // The kubelet's probes show none, so a certificate is asked for, and demanded by the verbs.
    context.setWantClientAuth(true);
    context.setRenegotiationAllowed(false); // by a client; TLS 1.3 has none
    context.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    context.addExcludeCipherSuites("^TLS_DHE_.*$", "^TLS_RSA_.*$");
    context.setCipherComparator(HTTP2Cipher.COMPARATOR);
    context.setUseCipherSuitesOrder(true);
  }

  /// @throws UnusableCertificates nothing was taken
  synchronized void show(PresentedIdentity next) throws UnusableCertificates {
    var trial = new SslContextFactory.Server();
    next.giveTo(trial);
    try {
      context.reload(same -> {
        same.setKeyStore(trial.getKeyStore());
        same.setTrustStore(trial.getTrustStore());
      });
    } catch (Exception refused) { // so it is declared
      throw new UnusableCertificates("TLS refuses them: " + refused.getMessage(), refused);
    }
    shown = next;
  }

  /// Until when Berth's is valid.
  public synchronized Instant until() {
    return shown.chain().getFirst().getNotAfter().toInstant();
  }

  List<String> clients() {
    return clients;
  }

  SslContextFactory.Server context() {
    return context;
  }
}
