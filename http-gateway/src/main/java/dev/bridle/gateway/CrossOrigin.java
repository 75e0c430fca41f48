package dev.bridle.gateway;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.cors.CorsService;
import com.linecorp.armeria.server.cors.CorsServiceBuilder;
import dev.bridle.gateway.call.Gates;
import dev.bridle.gateway.call.ProtocolVersions;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lets pages of other origins call REST and read event streams. Callers prove who they are by a
 * header, so browsers are not told to send cookies.
 */
final class CrossOrigin {
  private static final String ANY = "*";
  private static final Duration PREFLIGHT_GOOD_FOR = Duration.ofHours(1);

  private CrossOrigin() {}

  /** Answers preflights and marks answers for the allowed origins; does nothing without any. */
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
            HttpHeaderNames.of(Gates.IDEMPOTENCY_KEY),
            HttpHeaderNames.of("last-event-id"))
        .exposeHeaders(
            HttpHeaderNames.of("x-request-id"),
            HttpHeaderNames.RETRY_AFTER,
            HttpHeaderNames.WWW_AUTHENTICATE,
            HttpHeaderNames.CONTENT_DISPOSITION)
        .maxAge(PREFLIGHT_GOOD_FOR)
        .build(service);
  }
}
