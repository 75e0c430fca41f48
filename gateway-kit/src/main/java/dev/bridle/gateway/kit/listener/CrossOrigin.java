package dev.bridle.gateway.kit.listener;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.cors.CorsService;
import com.linecorp.armeria.server.cors.CorsServiceBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Allows pages of other origins to call a gateway and read event streams (CORS). Callers
 * authenticate with a header, so credentials mode (cookies) is not enabled.
 */
public final class CrossOrigin {
  private static final String ANY = "*";
  private static final Duration PREFLIGHT_GOOD_FOR = Duration.ofHours(1);

  private static final List<CharSequence> EXPOSED =
      List.of(
          HttpHeaderNames.of("x-request-id"),
          HttpHeaderNames.RETRY_AFTER,
          HttpHeaderNames.WWW_AUTHENTICATE,
          HttpHeaderNames.CONTENT_DISPOSITION);

  private CrossOrigin() {}

  /**
   * Returns a service that answers preflight requests and sets CORS headers for the allowed
   * origins; returns the service unchanged if there are none.
   *
   * @param requestHeaders the headers that such pages may send
   * @param responseHeaders the headers that such pages may read, in addition to those of all
   *     gateways
   */
  public static HttpService around(
      HttpService service,
      Set<String> allowed,
      List<CharSequence> requestHeaders,
      List<CharSequence> responseHeaders) {
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
        .allowRequestHeaders(requestHeaders)
        .exposeHeaders(Stream.concat(EXPOSED.stream(), responseHeaders.stream()).toList())
        .maxAge(PREFLIGHT_GOOD_FOR)
        .build(service);
  }
}
