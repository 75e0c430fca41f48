package dev.bridle.gateway.json;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.HashMap;
import java.util.Map;

/** Makes each message's plan once, with the plans of all that it holds. */
public final class MessagePlans {

  private final Map<Descriptor, MessagePlan> plans = new HashMap<>();

  /** The plan of a kind of message. */
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
