package dev.bridle.core.kernel.error;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Has requests that can't be read as their message refused like other bad requests. gRPC would end
 * such a call as a failure of the server, with a stack trace in its log.
 */
public final class ReadableRequests {
  private ReadableRequests() {}

  /** Stands in the place of a request that can't be read, for the interceptor to reject. */
  private record Unreadable() {}

  /** Returns whether a message stands in the place of a request that can't be read. */
  public static boolean isUnreadable(Object message) {
    return message instanceof Unreadable;
  }

  /** Returns a service that refuses what can't be read. */
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

    /** The interceptor is the only one that sees what stands for a request here. */
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
