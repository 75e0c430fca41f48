package dev.bridle.json;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates and caches the plan of each message type, with the plans of its fields. Safe for use by
 * several threads; a cached plan is found without a lock.
 */
public final class MessagePlans {

  /** Complete plans only: those of all their fields are linked. */
  private final Map<Descriptor, MessagePlan> plans = new ConcurrentHashMap<>();

  /** Returns the plan of a message type. */
  public MessagePlan of(Descriptor descriptor) {
    MessagePlan known = plans.get(descriptor);
    return known != null ? known : create(descriptor);
  }

  private synchronized MessagePlan create(Descriptor descriptor) {
    Map<Descriptor, MessagePlan> created = new HashMap<>();
    MessagePlan plan = plan(descriptor, created);
    plans.putAll(created);
    return plan;
  }

  /** A type may contain itself, so a plan is registered before its fields are linked. */
  private MessagePlan plan(Descriptor descriptor, Map<Descriptor, MessagePlan> created) {
    MessagePlan known = plans.getOrDefault(descriptor, created.get(descriptor));
    if (known != null) {
      return known;
    }
    MessagePlan plan = new MessagePlan(descriptor);
    created.put(descriptor, plan);
    for (FieldPlan field : plan.fields()) {
      if (field.shape() == FieldPlan.Shape.MESSAGE) {
        field.link(plan(field.descriptor().getMessageType(), created));
      }
    }
    return plan;
  }
}
