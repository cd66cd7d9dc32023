package dev.berth.bench.packing;

import dev.berth.bench.peers.Peer;
import dev.berth.bench.report.Paired;

/// One trace: means over the seeds, and differences to FGD of the same seed.
///
/// @param refused CPU-only pods that ours refuses, a run
/// @param fgdRefused the same of FGD
record Row(
    String trace,
    double ours,
    double fgd,
    double bestFit,
    double bound,
    double ours130,
    double fgd130,
    Paired d,
    Paired d130,
    double refused,
    double fgdRefused) {
  static Row of(Bounds bounds, Results results) {
    var trace = bounds.trace();
    var ours = Packing.OURS;
    var fgd = Peer.FGD.label();
    return new Row(
        trace,
        results.mean(trace, ours, each -> each.at100().allocation()),
        results.mean(trace, fgd, each -> each.at100().allocation()),
        results.mean(trace, Peer.BEST_FIT.label(), each -> each.at100().allocation()),
        Paired.mean(bounds.at100()),
        results.mean(trace, ours, each -> each.at130().allocation()),
        results.mean(trace, fgd, each -> each.at130().allocation()),
        paired(trace, results, true),
        paired(trace, results, false),
        results.mean(trace, ours, Result::refusedCpuOnly),
        results.mean(trace, fgd, Result::refusedCpuOnly));
  }

  private static Paired paired(String trace, Results results, boolean at100) {
    var fgd = Peer.FGD.label();
    if (!results.has(fgd)) {
      return new Paired(Double.NaN, Double.NaN);
    }
    return Paired.of(
        results.values(
            trace, Packing.OURS, each -> (at100 ? each.at100() : each.at130()).allocation()),
        results.values(trace, fgd, each -> (at100 ? each.at100() : each.at130()).allocation()));
  }

  /// How much of what is left between FGD and the bound is won.
  double gapClosed() {
    return (ours - fgd) / (bound - fgd);
  }
}
