package dev.berth.engine.ledger.view;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;

/// @param givenOut devices that pods and holders have, plans not counted
public record Overfull(NodeName node, Resource device, long givenOut, long allocatable) {}
