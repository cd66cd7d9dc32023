package dev.berth.extender.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.eclipse.jetty.http2.HTTP2Cipher;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// What we show and whom we believe, as the files hold it. Connections that are open stay as they
/// began; new ones begin with what was read last.
public final class Certificates {
  private static final char[] NO_PASSWORD = {};
  private static final byte[] PROBE = {1, 2, 3};

  private final TlsSettings.Mutual settings;
  private final SslContextFactory.Server context = new SslContextFactory.Server();
  private Files files;

  /// One look at the three files.
  private record Files(Pem certificate, Pem key, Pem clientCa) {
    static Files read(TlsSettings.Mutual settings) throws UnusableCertificates {
      return new Files(
          Pem.read(settings.certificate()),
          Pem.read(settings.key()),
          Pem.read(settings.clientCa()));
    }
  }

  private Certificates(TlsSettings.Mutual settings, Files files) {
    this.settings = settings;
    this.files = files;
  }

  public static Certificates open(TlsSettings.Mutual settings) throws UnusableCertificates {
    var certificates = new Certificates(settings, Files.read(settings));
    certificates.take(certificates.files, certificates.context);
    // The kubelet's probes show none, so a certificate is asked for, and demanded by the verbs.
    certificates.context.setWantClientAuth(true);
    certificates.context.setCipherComparator(HTTP2Cipher.COMPARATOR);
    certificates.context.setUseCipherSuitesOrder(true);
    return certificates;
  }

  /// Looks at the files, and takes them where they changed.
  ///
  /// @return whether they were taken
  /// @throws UnusableCertificates nothing was taken; files that are being replaced look like that
  public synchronized boolean renew() throws UnusableCertificates {
    var now = Files.read(settings);
    if (now.equals(files)) {
      return false;
    }
    var trial = new SslContextFactory.Server();
    take(now, trial);
    try {
      context.reload(same -> {
        same.setKeyStore(trial.getKeyStore());
        same.setTrustStore(trial.getTrustStore());
      });
    } catch (Exception refused) { // so it is declared
      throw new UnusableCertificates("TLS refuses them: " + refused.getMessage(), refused);
    }
    files = now;
    return true;
  }

  /// Until when ours is valid.
  public synchronized Instant until() throws UnusableCertificates {
    return files.certificate().certificates().getFirst().getNotAfter().toInstant();
  }

  List<String> clients() {
    return settings.clients();
  }

  SslContextFactory.Server context() {
    return context;
  }

  private void take(Files files, SslContextFactory.Server context) throws UnusableCertificates {
    var chain = files.certificate().certificates();
    var key = files.key().key();
    if (!belongs(key, chain.getFirst())) {
      throw new UnusableCertificates(
          settings.key()
              + " is not the key of "
              + settings.certificate()
              + ": give both from one secret");
    }
    try {
      var ours = emptyStore();
      ours.setKeyEntry("berth", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
      var believed = emptyStore();
      for (var authority : files.clientCa().certificates()) {
        believed.setCertificateEntry("ca-" + believed.size(), authority);
      }
      context.setKeyStore(ours);
      context.setKeyStorePassword("");
      context.setTrustStore(believed);
    } catch (GeneralSecurityException | IOException refused) {
      throw new UnusableCertificates("Java refuses them: " + refused.getMessage(), refused);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  /// What the one signs the other confirms.
  private static boolean belongs(PrivateKey key, X509Certificate certificate) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      var signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException another) {
      return false; // of another kind
    }
  }
}
