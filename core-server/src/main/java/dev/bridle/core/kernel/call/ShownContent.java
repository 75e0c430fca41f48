package dev.bridle.core.kernel.call;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import dev.bridle.api.v1.Options;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.visibility.ContentFilter;
import dev.bridle.core.kernel.visibility.Viewer;
import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Leaves out of responses what the caller may not see (protocol section "Message, part, and
 * artifact"). Calls of methods whose response type reaches no such content are not touched. Methods
 * with the option {@code unredacted} answer the worker that holds the task.
 */
final class ShownContent {
  private final Map<String, Boolean> filtered = new ConcurrentHashMap<>();

  /** Returns the call that a service answers, with the caller of the context. */
  <Q, R> ServerCall<Q, R> of(ServerCall<Q, R> call, Context context) {
    MethodDescriptor<Q, R> method = call.getMethodDescriptor();
    if (!filtered.computeIfAbsent(method.getFullMethodName(), name -> isFiltered(method))) {
      return call;
    }
    Viewer viewer = Caller.of(context).map(Viewer::of).orElse(Viewer.ANYONE);
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void sendMessage(R message) {
        @SuppressWarnings("unchecked") // A filter returns messages of the type that it is given.
        R shown = (R) ContentFilter.shown((Message) message, viewer);
        super.sendMessage(shown);
      }
    };
  }

  private static boolean isFiltered(MethodDescriptor<?, ?> method) {
    if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier supplier) {
      Descriptors.MethodDescriptor known = supplier.getMethodDescriptor();
      return ContentFilter.concerns(known.getOutputType())
          && !known.getOptions().getExtension(Options.method).getUnredacted();
    }
    throw new IllegalStateException("a method without a descriptor is served");
  }
}
