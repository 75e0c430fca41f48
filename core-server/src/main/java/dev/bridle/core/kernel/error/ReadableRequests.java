package dev.bridle.core.kernel.error;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Wraps services so that requests that can't be parsed are rejected as invalid requests. gRPC alone
 * would fail such a call as an internal error, with a stack trace in the log.
 */
public final class ReadableRequests {
  private ReadableRequests() {}

  /** The placeholder of a request that can't be parsed, which the interceptor rejects. */
  private record Unreadable() {}

  /** Returns whether a message is the placeholder of a request that can't be parsed. */
  public static boolean isUnreadable(Object message) {
    return message instanceof Unreadable;
  }

  /**
   * Returns the service with marshallers that yield placeholders for requests that can't be parsed.
   */
  public static ServerServiceDefinition of(ServerServiceDefinition service) {
    ServiceDescriptor.Builder described =
        ServiceDescriptor.newBuilder(service.getServiceDescriptor().getName())
            .setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
    var methods = service.getMethods().stream().map(ReadableRequests::of).toList();
    methods.forEach(method -> described.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder built = ServerServiceDefinition.builder(described.build());
    methods.forEach(built::addMethod);
    return built.build();
  }

  private static <Q, R> ServerMethodDefinition<Q, R> of(ServerMethodDefinition<Q, R> method) {
    MethodDescriptor<Q, R> descriptor = method.getMethodDescriptor();
    return ServerMethodDefinition.create(
        descriptor.toBuilder(
                new Reading<>(descriptor.getRequestMarshaller()),
                descriptor.getResponseMarshaller())
            .build(),
        method.getServerCallHandler());
  }

  private record Reading<Q>(Marshaller<Q> messages) implements Marshaller<Q> {
    @Override
    public InputStream stream(Q value) {
      return messages.stream(value);
    }

    /** Only the interceptor sees the placeholder. */
    @Override
    @SuppressWarnings("unchecked")
    public Q parse(InputStream stream) {
      try {
        return messages.parse(stream);
      } catch (StatusRuntimeException e) {
        return (Q) new Unreadable();
      }
    }
  }
}
