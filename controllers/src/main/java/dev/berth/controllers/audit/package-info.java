/// Looks now and then whether what we believe of devices is what kubelets admitted: says where it
/// is not, and mends what nobody can miss. Touches no workload. May import the engine, `door` and
/// `loop`.
@NullMarked
package dev.berth.controllers.audit;

import org.jspecify.annotations.NullMarked;
