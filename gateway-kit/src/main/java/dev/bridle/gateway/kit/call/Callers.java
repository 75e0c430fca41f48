package dev.bridle.gateway.kit.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.auth.v1.GetCallerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;

/**
 * Authenticates a request with the core before its body is read. Caches valid credentials for a few
 * seconds, by their hash; the core checks them again with the call itself.
 */
final class Callers {
  private static final Duration REMEMBERED = Duration.ofSeconds(10);
  private static final int MOST_REMEMBERED = 10_000;

  private final CoreCalls core;
  private final Cache<String, String> tenants =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterWrite(REMEMBERED).build();

  Callers(CoreCalls core) {
    this.core = core;
  }

  /**
   * Returns the caller's tenant; fails with a {@link
   * dev.bridle.gateway.kit.error.ProtocolException}.
   */
  CompletableFuture<String> tenant(Call call) {
    String key = hash(call.request().headers().get(HttpHeaderNames.AUTHORIZATION, ""));
    String known = tenants.getIfPresent(key);
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    return core.unary(
            AuthServiceGrpc.getGetCallerMethod(),
            GetCallerRequest.getDefaultInstance(),
            CoreCalls.credentials(call),
            call.requestId())
        .thenApply(Caller::getTenantId)
        .whenComplete(
            (tenant, failure) -> {
              if (failure == null) {
                tenants.put(key, tenant);
              }
            });
  }

  private static String hash(String authorization) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(authorization.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }
}
