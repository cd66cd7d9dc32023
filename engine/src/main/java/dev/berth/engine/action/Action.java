package dev.berth.engine.action;

import dev.berth.engine.session.Session;

/// One kind of thing that the planner does, once in each round.
public interface Action {
  void run(Session session);
}
