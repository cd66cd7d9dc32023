package dev.berth.cli;

import dev.berth.cli.config.ExtenderConfig.MetricsFor;
import dev.berth.controllers.client.AccessReviewClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api;
import dev.berth.controllers.kube.ApiReviews;
import dev.berth.controllers.loop.Workers;
import dev.berth.extender.access.Access;
import dev.berth.extender.access.AccessReviewer;
import dev.berth.extender.access.AccessSettings;
import dev.berth.extender.access.Rights;
import dev.berth.extender.access.RightsReviewer;
import dev.berth.extender.rest.Viewers;
import dev.berth.extender.tls.CertificateFiles;
import dev.berth.extender.tls.Certificates;
import dev.berth.extender.tls.TlsSettings;
import dev.berth.extender.tls.Transport;
import dev.berth.extender.tls.UnusableCertificates;
import io.javalin.config.RoutesConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which client may ask what: kube-scheduler by its certificate, people and Prometheus by their
/// token.
final class RequestGuards {
  private static final Logger LOG = LoggerFactory.getLogger(RequestGuards.class);

  private final Access access;
  private final Viewers viewers;

  RequestGuards(Api api, InstantSource time) {
    var settings = AccessSettings.DEFAULT;
    access = new Access(reviews(new ApiReviews(api, settings.atOnce())), settings, time);
    viewers =
        new TokenViewers<>(
            new Rights<>(rights(new ApiReviews(api, settings.atOnce())), settings, time));
  }

  /// What clients of the REST API may see.
  Viewers viewers() {
    return viewers;
  }

  /// What stands before the routes that are not kube-scheduler's.
  List<Consumer<RoutesConfig>> before(MetricsFor metrics) {
    return metrics == MetricsFor.ALLOWED ? List.of(access.before("/metrics")) : List.of();
  }

  /// Files that cannot be used at the start are an error; later they change nothing.
  ///
  /// @param leads whether this one may restart kube-scheduler
  static Transport transport(TlsSettings settings, Api api, Workers workers, BooleanSupplier leads)
      throws UnusableCertificates {
    return switch (settings) {
      case TlsSettings.Off _ -> new Transport.Plain();
      case TlsSettings.Files files -> {
        var certificates = CertificateFiles.open(files);
        told("certificate", certificates.certificates());
        again(files.look(), workers, () -> renew(certificates));
        yield new Transport.Mutual(certificates.certificates());
      }
      case TlsSettings.Issued issued -> {
        var own = new OwnCertificates(issued, api, workers.time(), leads);
        workers.run(() -> {
          own.look();
          again(issued.look(), workers, own::look);
        });
        yield new Transport.Mutual(own.certificates());
      }
    };
  }

  static void told(String what, Certificates certificates) {
    LOG.atInfo().addKeyValue("until", certificates.until()).log(what);
  }

  private static void again(Duration look, Workers workers, Runnable what) {
    workers.at(
        workers.time().instant().plus(look),
        () -> {
          what.run();
          again(look, workers, what);
        });
  }

  private static void renew(CertificateFiles files) {
    try {
      if (files.renew()) {
        told("certificate renewed", files.certificates());
      }
    } catch (UnusableCertificates unusable) { // half replaced, or broken: the old ones hold
      LOG.atWarn().addKeyValue("why", unusable.getMessage()).log("certificate not renewed");
    }
  }

  private static AccessReviewer reviews(AccessReviewClient client) {
    return (token, verb, path) -> {
      try {
        var review = client.review(token, verb, path);
        return review.user().isEmpty()
            ? new AccessReviewer.Verdict.Unknown()
            : review.isAllowed()
                ? new AccessReviewer.Verdict.Allowed(review.user())
                : new AccessReviewer.Verdict.Forbidden(review.user());
      } catch (ClientException failed) {
        throw new AccessReviewer.NoVerdict(String.valueOf(failed.getMessage()), failed);
      }
    };
  }

  private static RightsReviewer<AccessReviewClient.User> rights(AccessReviewClient client) {
    return new RightsReviewer<>() {
      @Override
      public Optional<AccessReviewClient.User> owner(String token) throws AccessReviewer.NoVerdict {
        try {
          return client.owner(token);
        } catch (ClientException failed) {
          throw new AccessReviewer.NoVerdict(String.valueOf(failed.getMessage()), failed);
        }
      }

      @Override
      public String name(AccessReviewClient.User user) {
        return user.name();
      }

      @Override
      public boolean may(AccessReviewClient.User user, ObjectRight right)
          throws AccessReviewer.NoVerdict {
        try {
          return client.isAllowed(
              user,
              new AccessReviewClient.ResourceAttributes(
                  right.verb(), right.group(), right.resource(), right.namespace(), right.name()));
        } catch (ClientException failed) {
          throw new AccessReviewer.NoVerdict(String.valueOf(failed.getMessage()), failed);
        }
      }
    };
  }
}
