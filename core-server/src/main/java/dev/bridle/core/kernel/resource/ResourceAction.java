package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.Payload;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A method that changes the state of one resource, such as pausing it.
 *
 * @param <M> the record
 */
public interface ResourceAction<M extends MessageLite> {
  /**
   * The result of an action.
   *
   * @param after the record after it
   * @param facts the members that changed, with their new values
   */
  record Change<M>(M after, Payload facts) {}

  /** Checks that a caller may act; {@code permission_denied} otherwise. */
  default void admit(Caller caller) {}

  /** Returns the changed record; empty if nothing changes. */
  Optional<Change<M>> apply(Write write, M before, Message request);

  /** Returns an action for those callers only that a check lets pass. */
  static <M extends MessageLite> ResourceAction<M> checked(
      Consumer<Caller> check, ResourceAction<M> action) {
    return new ResourceAction<>() {
      @Override
      public void admit(Caller caller) {
        check.accept(caller);
      }

      @Override
      public Optional<Change<M>> apply(Write write, M before, Message request) {
        return action.apply(write, before, request);
      }
    };
  }
}
