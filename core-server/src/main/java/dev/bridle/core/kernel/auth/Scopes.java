package dev.bridle.core.kernel.auth;

import dev.bridle.api.v1.Options;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.Collection;
import java.util.List;

/** The scopes that methods require, as their descriptors declare them. */
public final class Scopes {
  private Scopes() {}

  /** Returns the distinct scopes of services, sorted, without those of administration. */
  public static List<String> of(Collection<ServerServiceDefinition> services) {
    return services.stream()
        .flatMap(service -> service.getMethods().stream())
        .map(method -> method.getMethodDescriptor().getSchemaDescriptor())
        .filter(ProtoMethodDescriptorSupplier.class::isInstance)
        .map(schema -> ((ProtoMethodDescriptorSupplier) schema).getMethodDescriptor())
        .map(method -> method.getOptions().getExtension(Options.method).getScope())
        .filter(scope -> !scope.isEmpty() && !scope.startsWith(Caller.ADMIN_PREFIX))
        .distinct()
        .sorted()
        .toList();
  }
}
