/// What a controller sees of the cluster and does to it, as interfaces: the API server stands
/// behind them, or the simulator. A write is a value ([ApiWrite]) on its way from a caller to a
/// client, so that what stands between them is one [ApiWriter] each. "Already so" is success. Calls
/// block the calling thread and may be made from any. May import `engine.model` and `crd`.
@NullMarked
package dev.berth.controllers.client;

import org.jspecify.annotations.NullMarked;
