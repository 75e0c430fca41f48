package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;

/**
 * The rules of a resource that can be deleted.
 *
 * @param <M> the record
 * @param <R> the resource
 */
public interface DeleteRules<M extends MessageLite, R extends Message> extends ResourceRules<M, R> {

  /** Checks a deletion and returns the record that stays. */
  M delete(Write write, Caller caller, M before);

  /** Deletes what is deleted already; {@code resource_not_found} unless that does no harm. */
  default void deleteAgain(Caller caller, M before, ProtocolException absent) {
    throw absent;
  }

  /** Returns the members that the event of a deleted resource has. */
  default Payload deletedFacts(R resource) {
    return Payload.of();
  }
}
