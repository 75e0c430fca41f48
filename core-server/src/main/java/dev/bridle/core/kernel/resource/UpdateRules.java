package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.Payload;

/**
 * The rules of a resource that can be updated.
 *
 * @param <M> the record
 * @param <R> the resource
 */
public interface UpdateRules<M extends MessageLite, R extends Message> extends ResourceRules<M, R> {

  /** Returns the update that is applied where a client asks for one. */
  default Message applied(Message request) {
    return request;
  }

  /** Checks an update before anything is changed. */
  default void checkUpdate(Write write, Caller caller, M before, Message request) {}

  /** Returns the resource that an update changes: as time has left it. */
  default R current(Write write, M before, R resource) {
    return resource;
  }

  /** Checks the resource after an update that changes it, and returns its record. */
  M update(Write write, Caller caller, M before, R after);

  /** Returns the members that the event of an update has. */
  default Payload updatedFacts(Write write, M before, Message request, Members.Change<R> change) {
    return change.changedFields();
  }

  /** Runs after each update, also one that changes nothing. */
  default void updated(Write write, M after) {}
}
