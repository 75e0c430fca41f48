package dev.bridle.gateway.json;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.HashMap;
import java.util.Map;

/** Creates and caches the plan of each message type, with the plans of its fields. */
public final class MessagePlans {

  private final Map<Descriptor, MessagePlan> plans = new HashMap<>();

  /** Returns the plan of a message type. */
  public synchronized MessagePlan of(Descriptor descriptor) {
    MessagePlan known = plans.get(descriptor);
    if (known != null) {
      return known;
    }
    MessagePlan plan = new MessagePlan(descriptor);
    plans.put(descriptor, plan);
    for (FieldPlan field : plan.fields()) {
      if (field.shape() == FieldPlan.Shape.MESSAGE) {
        field.link(of(field.descriptor().getMessageType()));
      }
    }
    return plan;
  }
}
