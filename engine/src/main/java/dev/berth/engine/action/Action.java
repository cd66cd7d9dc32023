package dev.berth.engine.action;

/// One kind of thing that the planner does, once in each round.
public interface Action {
  void run(Round round);
}
