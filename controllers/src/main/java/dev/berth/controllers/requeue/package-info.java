/// Ungated pods that kube-scheduler holds as unschedulable though a node has room for them by now:
/// one annotation makes kube-scheduler try them again. Reads the ledger, writes nothing else. May
/// import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.requeue;

import org.jspecify.annotations.NullMarked;
