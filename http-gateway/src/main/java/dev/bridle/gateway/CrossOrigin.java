package dev.bridle.gateway;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.cors.CorsService;
import com.linecorp.armeria.server.cors.CorsServiceBuilder;
import dev.bridle.gateway.call.HeaderChecks;
import dev.bridle.gateway.call.ProtocolVersions;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Allows pages of other origins to call REST and read event streams (CORS). Callers authenticate
 * with a header, so credentials mode (cookies) is not enabled.
 */
final class CrossOrigin {
  private static final String ANY = "*";
  private static final Duration PREFLIGHT_GOOD_FOR = Duration.ofHours(1);

  private CrossOrigin() {}

  /**
   * Returns a service that answers preflight requests and sets CORS headers for the allowed
   * origins; returns the service unchanged if there are none.
   */
  static HttpService around(HttpService service, Set<String> allowed) {
    if (allowed.isEmpty()) {
      return service;
    }
    Set<String> origins =
        allowed.stream()
            .map(origin -> origin.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    CorsServiceBuilder cors =
        origins.contains(ANY) ? CorsService.builderForAnyOrigin() : CorsService.builder(origins);
    return cors.allowRequestMethods(
            HttpMethod.GET,
            HttpMethod.HEAD,
            HttpMethod.POST,
            HttpMethod.PUT,
            HttpMethod.PATCH,
            HttpMethod.DELETE)
        .allowRequestHeaders(
            HttpHeaderNames.AUTHORIZATION,
            HttpHeaderNames.ACCEPT,
            HttpHeaderNames.CONTENT_TYPE,
            HttpHeaderNames.of(ProtocolVersions.HEADER),
            HttpHeaderNames.of(HeaderChecks.IDEMPOTENCY_KEY),
            HttpHeaderNames.of("last-event-id"),
            HttpHeaderNames.of("traceparent"))
        .exposeHeaders(
            HttpHeaderNames.of("x-request-id"),
            HttpHeaderNames.RETRY_AFTER,
            HttpHeaderNames.WWW_AUTHENTICATE,
            HttpHeaderNames.CONTENT_DISPOSITION)
        .maxAge(PREFLIGHT_GOOD_FOR)
        .build(service);
  }
}
