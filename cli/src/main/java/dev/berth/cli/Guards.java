package dev.berth.cli;

import dev.berth.cli.config.Extender.MetricsFor;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.kube.Api;
import dev.berth.controllers.kube.ApiReviews;
import dev.berth.controllers.loop.Workers;
import dev.berth.extender.access.Access;
import dev.berth.extender.access.AccessSettings;
import dev.berth.extender.access.Reviews;
import dev.berth.extender.tls.Certificates;
import dev.berth.extender.tls.TlsSettings;
import dev.berth.extender.tls.Transport;
import dev.berth.extender.tls.UnusableCertificates;
import io.javalin.config.RoutesConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Who may ask what: kube-scheduler by its certificate, people and Prometheus by their token.
final class Guards {
  private static final Logger LOG = LoggerFactory.getLogger(Guards.class);

  private final Access access;

  Guards(Api api, InstantSource time) {
    var settings = AccessSettings.DEFAULT;
    access = new Access(reviews(new ApiReviews(api, settings.atOnce())), settings, time);
  }

  /// What stands before the routes that are not kube-scheduler's.
  List<Consumer<RoutesConfig>> before(MetricsFor metrics) {
    return metrics == MetricsFor.ALLOWED ? List.of(access.before("/metrics")) : List.of();
  }

  /// Files that cannot be used at the start are an error; later they change nothing.
  static Transport transport(TlsSettings settings, Workers workers) throws UnusableCertificates {
    return switch (settings) {
      case TlsSettings.Off _ -> new Transport.Plain();
      case TlsSettings.Mutual mutual -> {
        var certificates = Certificates.open(mutual);
        LOG.atInfo().addKeyValue("until", certificates.until()).log("certificate");
        again(certificates, mutual.look(), workers);
        yield new Transport.Mutual(certificates);
      }
    };
  }

  private static void again(Certificates certificates, Duration look, Workers workers) {
    workers.at(
        workers.time().instant().plus(look),
        () -> {
          renew(certificates);
          again(certificates, look, workers);
        });
  }

  private static void renew(Certificates certificates) {
    try {
      if (certificates.renew()) {
        LOG.atInfo().addKeyValue("until", certificates.until()).log("certificate renewed");
      }
    } catch (UnusableCertificates unusable) { // half replaced, or broken: the old ones hold
      LOG.atWarn().addKeyValue("why", unusable.getMessage()).log("certificate not renewed");
    }
  }

  private static Reviews reviews(dev.berth.controllers.door.Reviews door) {
    return (token, verb, path) -> {
      try {
        var review = door.review(token, verb, path);
        return review.user().isEmpty()
            ? new Reviews.Verdict.Unknown()
            : review.isAllowed()
                ? new Reviews.Verdict.Allowed(review.user())
                : new Reviews.Verdict.Forbidden(review.user());
      } catch (DoorException failed) {
        throw new Reviews.NoVerdict(String.valueOf(failed.getMessage()), failed);
      }
    };
  }
}
