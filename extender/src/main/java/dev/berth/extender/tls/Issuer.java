package dev.berth.extender.tls;

import dev.berth.extender.tls.CertificateAuthority.Signed;
import dev.berth.extender.tls.SecretStore.Secret;
import dev.berth.extender.tls.SecretStore.Unavailable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Makes and renews the certificates of both sides.
///
/// 1. The CA: in one Secret, for ten years. One that is missing, unreadable or in its last month is
///    replaced.
/// 2. kube-scheduler's certificate: in another Secret with the CA's, which its pod mounts; a year,
///    renewed in its last third, and after a new CA.
/// 3. Berth's own: in memory, made anew by each process from the CA's key; ninety days, renewed in
///    its last third.
///
/// Every replica does the same; the slower one takes what the other wrote. Until the first look
/// that succeeds Berth shows a certificate that no client trusts, so that probes are answered
/// meanwhile.
public final class Issuer {
  static final String CERTIFICATE = "tls.crt";
  static final String KEY = "tls.key";
  static final String CA = "ca.crt";

  private static final Duration CA_LIFE = Duration.ofDays(3650);
  private static final Duration CA_LAST = Duration.ofDays(30);
  private static final Duration CLIENT_LIFE = Duration.ofDays(365);
  private static final Duration OWN_LIFE = Duration.ofDays(90);
  private static final int TRIES = 3;

  private final TlsSettings.Issued settings;
  private final SecretStore store;
  private final InstantSource time;
  private final Certificates certificates;
  private Optional<CertificateAuthority> believed = Optional.empty();

  public Issuer(TlsSettings.Issued settings, SecretStore store, InstantSource time)
      throws UnusableCertificates {
    this.settings = settings;
    this.store = store;
    this.time = time;
    var unsigned = CertificateAuthority.create("berth-starts", time.instant(), OWN_LIFE);
    this.certificates = new Certificates(List.of(settings.client()), shown(unsigned));
  }

  public Certificates certificates() {
    return certificates;
  }

  /// @param renewed whether Berth's is another one now
  /// @param clientSince when kube-scheduler's was signed: one that runs since before has an older
  public record Looked(boolean renewed, Instant clientSince) {}

  /// Makes what is missing or ends soon.
  ///
  /// @throws Unavailable nothing is known: what is shown holds
  public synchronized Looked look() throws Unavailable, UnusableCertificates {
    for (int i = 0; i < TRIES; i++) {
      var authority = authority();
      var since = authority.isPresent() ? client(authority.get()) : Optional.<Instant>empty();
      if (authority.isPresent() && since.isPresent()) {
        return new Looked(own(authority.get()), since.get());
      }
    }
    throw new Unavailable(
        "Secrets "
            + settings.authoritySecret()
            + " and "
            + settings.clientSecret()
            + " are written by others without end",
        new IllegalStateException());
  }

  /// Empty = another replica was faster.
  private Optional<CertificateAuthority> authority() throws Unavailable, UnusableCertificates {
    var now = time.instant();
    var kept = store.read(settings.authoritySecret());
    var usable =
        kept.flatMap(secret -> readable(settings.authoritySecret(), secret))
            .filter(pair -> pair.certificate().getBasicConstraints() >= 0)
            .map(pair -> new CertificateAuthority(pair.certificate(), pair.key()))
            .filter(it -> it.signed(it.certificate(), now.plus(CA_LAST)));
    if (usable.isPresent()) {
      return usable;
    }
    var made = CertificateAuthority.create("berth-ca", now, CA_LIFE);
    var files = files(new Signed(made.certificate(), made.key()), Map.of());
    return write(settings.authoritySecret(), kept, files) ? Optional.of(made) : Optional.empty();
  }

  /// When it was signed; empty = another replica was faster.
  private Optional<Instant> client(CertificateAuthority authority)
      throws Unavailable, UnusableCertificates {
    var now = time.instant();
    var kept = store.read(settings.clientSecret());
    String ca = Pem.text("CERTIFICATE", encoded(authority.certificate()));
    var usable =
        kept.filter(secret -> secret.file(CA).equals(ca))
            .flatMap(secret -> readable(settings.clientSecret(), secret))
            .filter(
                pair -> authority.signed(pair.certificate(), now.plus(CLIENT_LIFE.dividedBy(3))));
    if (usable.isPresent()) {
      return usable.map(pair -> signedAt(pair.certificate().getNotBefore().toInstant()));
    }
    var made = authority.client(settings.client(), now, CLIENT_LIFE);
    return write(settings.clientSecret(), kept, files(made, Map.of(CA, ca)))
        ? Optional.of(signedAt(made.certificate().getNotBefore().toInstant()))
        : Optional.empty();
  }

  private static Instant signedAt(Instant notBefore) {
    return notBefore.plus(CertificateAuthority.EARLIER);
  }

  /// @return whether Berth's is another one now
  private boolean own(CertificateAuthority authority) throws UnusableCertificates {
    var now = authority.certificate();
    boolean isOurs = believed.filter(before -> before.certificate().equals(now)).isPresent();
    boolean ends = certificates.until().isBefore(time.instant().plus(OWN_LIFE.dividedBy(3)));
    if (isOurs && !ends) {
      return false;
    }
    certificates.show(shown(authority));
    believed = Optional.of(authority);
    return true;
  }

  private PresentedIdentity shown(CertificateAuthority authority) throws UnusableCertificates {
    var own = authority.server("berth", settings.names(), time.instant(), OWN_LIFE);
    return new PresentedIdentity(
        List.of(own.certificate()), own.key(), List.of(authority.certificate()));
  }

  private boolean write(String name, Optional<Secret> before, Map<String, String> files)
      throws Unavailable {
    return store.write(name, before.orElse(new Secret(new TreeMap<>(), "")).with(files));
  }

  /// A certificate and its key that fit together; empty = what is there is neither.
  private static Optional<Signed> readable(String name, Secret secret) {
    try {
      var certificate = new Pem(Path.of(name, CERTIFICATE), secret.file(CERTIFICATE));
      var key = new Pem(Path.of(name, KEY), secret.file(KEY)).key();
      var first = certificate.certificates().getFirst();
      return PresentedIdentity.belongs(key, first)
          ? Optional.of(new Signed(first, key))
          : Optional.empty();
    } catch (UnusableCertificates unreadable) {
      return Optional.empty();
    }
  }

  private static Map<String, String> files(Signed signed, Map<String, String> more)
      throws UnusableCertificates {
    var files = new TreeMap<>(more);
    files.put(CERTIFICATE, Pem.text("CERTIFICATE", encoded(signed.certificate())));
    files.put(KEY, Pem.text("PRIVATE KEY", signed.key().getEncoded()));
    return files;
  }

  private static byte[] encoded(java.security.cert.X509Certificate certificate)
      throws UnusableCertificates {
    try {
      return certificate.getEncoded();
    } catch (java.security.cert.CertificateEncodingException broken) {
      throw new UnusableCertificates("no certificate: " + broken.getMessage(), broken);
    }
  }
}
