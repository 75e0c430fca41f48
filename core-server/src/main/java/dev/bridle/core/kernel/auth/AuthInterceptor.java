package dev.bridle.core.kernel.auth;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.MethodRule;
import dev.bridle.api.v1.Options;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.RequestInfo;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells who calls, and refuses who may not call the method: {@code unauthenticated} without good
 * credentials, {@code permission_denied} without the scope that the method's descriptor names
 * (protocol section "Authentication and authorization").
 */
public final class AuthInterceptor implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String BEARER = "Bearer ";
  private static final int MAX_SECRET = 4096;

  private final List<Credentials> known;
  private final Map<String, MethodRule> rules = new ConcurrentHashMap<>();

  /** Lets in whom one of these knows; they are asked in this order. */
  public AuthInterceptor(List<Credentials> known) {
    this.known = List.copyOf(known);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    var method = call.getMethodDescriptor();
    MethodRule rule =
        rules.computeIfAbsent(
            method.getFullMethodName(), name -> rule(method.getSchemaDescriptor()));
    Context context =
        RequestInfo.in(Context.current(), RequestInfo.of(headers, method.getFullMethodName()));
    if (!rule.getOpen()) {
      HeldCredential credential = authenticate(headers);
      Caller caller = credential.caller();
      if (!rule.getScope().isEmpty() && !caller.holds(rule.getScope())) {
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_PERMISSION_DENIED, "The credential lacks the scope for this.")
            .with("required_scope", rule.getScope());
      }
      context = HeldCredential.in(Caller.in(context, caller), credential);
    }
    return Contexts.interceptCall(context, call, headers, next);
  }

  private HeldCredential authenticate(Metadata headers) {
    String header = headers.get(AUTHORIZATION);
    if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_UNAUTHENTICATED,
          "Credentials are missing; send 'Authorization: Bearer <key or token>'.");
    }
    String secret = header.substring(BEARER.length()).strip();
    Optional<Caller> caller = Optional.empty();
    if (!secret.isEmpty() && secret.length() <= MAX_SECRET) {
      caller = HeldCredential.find(known, secret);
    }
    return caller
        .map(found -> new HeldCredential(known, secret, found))
        .orElseThrow(
            () ->
                ProtocolException.of(
                    ErrorCode.ERROR_CODE_UNAUTHENTICATED,
                    "The credentials are unknown, expired or revoked."));
  }

  private static MethodRule rule(Object schema) {
    if (schema instanceof ProtoMethodDescriptorSupplier supplier) {
      MethodDescriptor descriptor = supplier.getMethodDescriptor();
      return descriptor.getOptions().getExtension(Options.method);
    }
    throw new IllegalStateException("a method without a descriptor is served");
  }
}
