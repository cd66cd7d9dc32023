package dev.berth.extender.tls;

/// Three files that others make and renew: Berth's, its key, and the CA of clients.
public final class CertificateFiles {
  private final TlsSettings.Files settings;
  private final Certificates certificates;
  private Look last;

  /// One look at the files.
  private record Look(Pem certificate, Pem key, Pem clientCa) {
    static Look at(TlsSettings.Files settings) throws UnusableCertificates {
      return new Look(
          Pem.read(settings.certificate()),
          Pem.read(settings.key()),
          Pem.read(settings.clientCa()));
    }

    PresentedIdentity shown() throws UnusableCertificates {
      var chain = certificate.certificates();
      var privateKey = key.key();
      if (!PresentedIdentity.belongs(privateKey, chain.getFirst())) {
        throw new UnusableCertificates(
            key.file()
                + " is not the key of "
                + certificate.file()
                + ": give both from one secret");
      }
      return new PresentedIdentity(chain, privateKey, clientCa.certificates());
    }
  }

  private CertificateFiles(TlsSettings.Files settings, Look first) throws UnusableCertificates {
    this.settings = settings;
    this.certificates = new Certificates(settings.clients(), first.shown());
    this.last = first;
  }

  public static CertificateFiles open(TlsSettings.Files settings) throws UnusableCertificates {
    return new CertificateFiles(settings, Look.at(settings));
  }

  public Certificates certificates() {
    return certificates;
  }

  /// Looks at the files, and takes them where they changed.
  ///
  /// @return whether they were taken
  /// @throws UnusableCertificates nothing was taken; files that are being replaced look like that
  public synchronized boolean renew() throws UnusableCertificates {
    var now = Look.at(settings);
    if (now.equals(last)) {
      return false;
    }
    certificates.show(now.shown());
    last = now;
    return true;
  }
}
