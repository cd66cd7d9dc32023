package dev.berth.extender.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// What Berth shows on a connection, and which clients Berth trusts there.
///
/// @param chain Berth's first, then those that lead to its CA
/// @param believed the CA that signs for clients
record PresentedIdentity(
    List<X509Certificate> chain, PrivateKey key, List<X509Certificate> believed) {
  private static final char[] NO_PASSWORD = {};
  private static final byte[] PROBE = {1, 2, 3};

  PresentedIdentity {
    chain = List.copyOf(chain);
    believed = List.copyOf(believed);
  }

  void giveTo(SslContextFactory.Server context) throws UnusableCertificates {
    try {
      var ours = emptyStore();
      ours.setKeyEntry("berth", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
      var trusted = emptyStore();
      for (var authority : believed) {
        trusted.setCertificateEntry("ca-" + trusted.size(), authority);
      }
      context.setKeyStore(ours);
      context.setKeyStorePassword("");
      context.setTrustStore(trusted);
    } catch (GeneralSecurityException | IOException refused) {
      throw new UnusableCertificates("Java refuses them: " + refused.getMessage(), refused);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  /// Whether what the one signs the other confirms.
  static boolean belongs(PrivateKey key, X509Certificate certificate) {
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
