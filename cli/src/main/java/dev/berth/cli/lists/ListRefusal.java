package dev.berth.cli.lists;

import dev.berth.controllers.kube.ApiReads;

/// Why a kind could not be listed.
public final class ListRefusal {
  private static final int FORBIDDEN = 403;

  private ListRefusal() {}

  /// @param resource `queues.berth.dev`, as RBAC and `kubectl auth can-i list` write it
  public static String sentence(String resource, ApiReads.Reply reply) {
    return reply.code() == FORBIDDEN
        ? resource + " may not be listed by this user (kubectl auth can-i list " + resource + " -A)"
        : resource + ": " + reply.message() + " (" + reply.code() + ")";
  }
}
