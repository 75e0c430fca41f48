package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import io.grpc.MethodDescriptor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * The methods of a resource's service that are served by code of their own, such as those on the
 * secrets of a vault.
 */
public final class SpecialCalls {
  private final Map<String, UnaryOperator<Message>> calls = new HashMap<>();

  /** Adds a method. */
  @SuppressWarnings("unchecked") // A method's own marshaller makes what it is given.
  public <Q extends Message, A extends Message> SpecialCalls with(
      MethodDescriptor<Q, A> method, BiFunction<Caller, Q, A> call) {
    calls.put(method.getBareMethodName(), request -> call.apply(Caller.current(), (Q) request));
    return this;
  }

  /** Returns what answers a method. */
  Optional<UnaryOperator<Message>> find(String method) {
    return Optional.ofNullable(calls.get(method));
  }
}
