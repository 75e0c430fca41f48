package dev.bridle.core.kernel.visibility;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replaces content that a viewer may not see in messages of any type. A message that is all visible
 * is returned as it is. Thread-safe.
 */
public final class ContentFilter {
  private static final Map<Descriptor, Optional<ContentPlan>> PLANS = new ConcurrentHashMap<>();

  private ContentFilter() {}

  /** Returns whether messages of a type may hold content that is not for everyone. */
  public static boolean concerns(Descriptor type) {
    return plan(type).isPresent();
  }

  /** Returns a message as a viewer sees it. */
  public static <M extends Message> M shown(M message, Viewer viewer) {
    Optional<ContentPlan> plan = plan(message.getDescriptorForType());
    if (plan.isEmpty()) {
      return message;
    }
    @SuppressWarnings("unchecked") // A plan builds messages of the type that it is given.
    M shown = (M) plan.get().shown(message, viewer);
    return shown;
  }

  private static Optional<ContentPlan> plan(Descriptor type) {
    Optional<ContentPlan> known = PLANS.get(type);
    return known != null ? known : PLANS.computeIfAbsent(type, ContentPlan::of);
  }
}
