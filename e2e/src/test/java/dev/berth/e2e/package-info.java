/// Proves the whole: a real etcd, kube-apiserver and stock kube-scheduler, nodes and kubelets
/// played by kwok, and Berth as a user installs it. Talks to Berth as users do, never through its
/// types.
@NullMarked
package dev.berth.e2e;

import org.jspecify.annotations.NullMarked;
