package dev.bridle.core.kernel.auth;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.MethodRule;
import dev.bridle.api.v1.Options;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Authenticates the caller and authorizes the method: {@code unauthenticated} without good
 * credentials, {@code permission_denied} without the scope that the method's descriptor names
 * (protocol section "Authentication and authorization").
 */
public final class Authentication {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String BEARER = "Bearer ";
  private static final int MAX_SECRET = 4096;

  private final List<Credentials> known;
  private final Map<String, MethodRule> rules = new ConcurrentHashMap<>();

  /** Authenticates against these credential sources, in this order. */
  public Authentication(List<Credentials> known) {
    this.known = List.copyOf(known);
  }

  /** Returns the gRPC context of a call, with its caller, credential and request info. */
  public Context context(MethodDescriptor<?, ?> method, Metadata headers) {
    MethodRule rule =
        rules.computeIfAbsent(
            method.getFullMethodName(), name -> rule(method.getSchemaDescriptor()));
    Context context =
        RequestInfo.in(Context.current(), RequestInfo.of(headers, method.getFullMethodName()));
    if (rule.getOpen()) {
      return context;
    }
    CallCredential credential = authenticate(headers);
    Caller caller = credential.caller();
    if (!rule.getScope().isEmpty() && !caller.holds(rule.getScope())) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED, "The credential lacks the scope for this.")
          .with("required_scope", rule.getScope());
    }
    if (rule.getAnyScopeCount() > 0 && rule.getAnyScopeList().stream().noneMatch(caller::holds)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PERMISSION_DENIED, "The credential lacks a scope for this.")
          .with("required_scopes", List.copyOf(rule.getAnyScopeList()));
    }
    return CallCredential.in(Caller.in(context, caller), credential);
  }

  private CallCredential authenticate(Metadata headers) {
    String header = headers.get(AUTHORIZATION);
    if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_UNAUTHENTICATED,
          "Credentials are missing; send 'Authorization: Bearer <key or token>'.");
    }
    String secret = header.substring(BEARER.length()).strip();
    Optional<Caller> caller = Optional.empty();
    if (!secret.isEmpty() && secret.length() <= MAX_SECRET) {
      caller = CallCredential.find(known, secret);
    }
    return caller
        .map(found -> new CallCredential(known, secret, found))
        .orElseThrow(
            () ->
                ProtocolException.of(
                    ErrorCode.ERROR_CODE_UNAUTHENTICATED,
                    "The credentials are unknown, expired or revoked."));
  }

  /** Returns whether a method writes, so that a call that was not confirmed may be applied. */
  public static boolean isCommand(MethodDescriptor<?, ?> method) {
    return rule(method.getSchemaDescriptor()).getCommand();
  }

  private static MethodRule rule(Object schema) {
    if (schema instanceof ProtoMethodDescriptorSupplier supplier) {
      return supplier.getMethodDescriptor().getOptions().getExtension(Options.method);
    }
    throw new IllegalStateException("a method without a descriptor is served");
  }
}
