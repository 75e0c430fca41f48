package dev.bridle.storage.kit.fault;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Lets everything pass, and keeps the operations in the order in which they came. */
public final class Recording implements FaultPlan {
  private final List<Operation> operations = new CopyOnWriteArrayList<>();

  @Override
  public Fault at(Operation operation) {
    operations.add(operation);
    return Fault.NONE;
  }

  /** Returns the operations so far. */
  public List<Operation> operations() {
    return List.copyOf(operations);
  }
}
