package dev.berth.extender.rest;

import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.answer.Visible;

/// A client that sees everything and counts as a party all the same.
record Party(String party) implements Visible {
  @Override
  public boolean queue(QueueName name) {
    return true;
  }

  @Override
  public boolean namespace(String name) {
    return true;
  }

  @Override
  public boolean nodes() {
    return true;
  }
}
