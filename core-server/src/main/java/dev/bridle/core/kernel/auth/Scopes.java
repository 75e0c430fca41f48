package dev.bridle.core.kernel.auth;

import dev.bridle.api.v1.Options;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The scopes that methods require, as their descriptors declare them. */
public final class Scopes {
  /** Shows content that is internal; no method requires it. */
  public static final String CONTENT_INTERNAL = "content:internal";

  private Scopes() {}

  /**
   * Returns the distinct scopes of services and {@link #CONTENT_INTERNAL}, sorted, without those of
   * administration.
   */
  public static List<String> of(Collection<ServerServiceDefinition> services) {
    Stream<String> required =
        services.stream()
            .flatMap(service -> service.getMethods().stream())
            .map(method -> method.getMethodDescriptor().getSchemaDescriptor())
            .filter(ProtoMethodDescriptorSupplier.class::isInstance)
            .map(schema -> ((ProtoMethodDescriptorSupplier) schema).getMethodDescriptor())
            .map(method -> method.getOptions().getExtension(Options.method))
            .flatMap(
                rule -> Stream.concat(Stream.of(rule.getScope()), rule.getAnyScopeList().stream()))
            .filter(scope -> !scope.isEmpty() && !scope.startsWith(Caller.ADMIN_PREFIX));
    return Stream.concat(required, Stream.of(CONTENT_INTERNAL)).distinct().sorted().toList();
  }
}
