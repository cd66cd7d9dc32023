package dev.berth.extender.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// A CA of Berth's own: signs for Berth and for its kube-scheduler, and for no other. Keys are
/// ECDSA on P-256.
record CertificateAuthority(X509Certificate certificate, PrivateKey key) {
  /// Clocks of nodes differ.
  static final Duration EARLIER = Duration.ofMinutes(5);

  private static final int SERIAL_BITS = 127;

  /// A certificate and its key.
  record Signed(X509Certificate certificate, PrivateKey key) {}

  static CertificateAuthority create(String name, Instant now, Duration life)
      throws UnusableCertificates {
    var keys = keys();
    var subject = new X500Principal("CN=" + name);
    try {
      var made =
          builder(subject, subject, keys.getPublic(), now, life)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      return new CertificateAuthority(signed(made, keys.getPrivate()), keys.getPrivate());
    } catch (IOException | GeneralSecurityException | OperatorCreationException failed) {
      throw unusable(failed);
    }
  }

  /// For a server.
  ///
  /// @param names DNS names and addresses by which it is called
  Signed server(String name, List<String> names, Instant now, Duration life)
      throws UnusableCertificates {
    return sign(name, names, KeyPurposeId.id_kp_serverAuth, now, life);
  }

  /// For a client.
  Signed client(String name, Instant now, Duration life) throws UnusableCertificates {
    return sign(name, List.of(name), KeyPurposeId.id_kp_clientAuth, now, life);
  }

  private Signed sign(
      String name, List<String> names, KeyPurposeId purpose, Instant now, Duration life)
      throws UnusableCertificates {
    var keys = keys();
    var alternatives = names.stream().map(CertificateAuthority::name).toArray(GeneralName[]::new);
    try {
      var made =
          builder(
                  certificate.getSubjectX500Principal(),
                  new X500Principal("CN=" + name),
                  keys.getPublic(),
                  now,
                  life)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
              .addExtension(
                  Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
      return new Signed(signed(made, key), keys.getPrivate());
    } catch (IOException | GeneralSecurityException | OperatorCreationException failed) {
      throw unusable(failed);
    }
  }

  private static GeneralName name(String name) {
    boolean isAddress = name.indexOf(':') >= 0 || name.matches("[0-9.]+");
    return new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, name);
  }

  private static X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, PublicKey key, Instant now, Duration life) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
        Date.from(now.minus(EARLIER)),
        Date.from(now.plus(life)),
        subject,
        key);
  }

  private static X509Certificate signed(X509v3CertificateBuilder made, PrivateKey key)
      throws OperatorCreationException, GeneralSecurityException {
    var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
    return new JcaX509CertificateConverter().getCertificate(made.build(signer));
  }

  private static KeyPair keys() throws UnusableCertificates {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw unusable(impossible);
    }
  }

  private static UnusableCertificates unusable(Exception failed) {
    return new UnusableCertificates("no certificate could be made: " + failed.getMessage(), failed);
  }

  /// Whether it signed a certificate, which is valid until then.
  boolean signed(X509Certificate other, Instant until) {
    try {
      other.verify(certificate.getPublicKey());
      return other.getNotAfter().toInstant().isAfter(until);
    } catch (GeneralSecurityException another) {
      return false;
    }
  }
}
