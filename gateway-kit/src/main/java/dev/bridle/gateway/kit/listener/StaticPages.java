package dev.bridle.gateway.kit.listener;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.bridle.pages.PageBundle;
import dev.bridle.pages.PageFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Serves the files of a page below one path, to its own origin alone, and passes all else on. The
 * headers allow the page its own files and nothing else.
 */
public final class StaticPages extends SimpleDecoratingHttpService {
  private static final String POLICY =
      String.join(
          "; ",
          List.of(
              "default-src 'none'",
              "script-src 'self'",
              "style-src 'self'",
              "img-src 'self' data:",
              "connect-src 'self'",
              "manifest-src 'self'",
              "worker-src 'self'",
              "base-uri 'none'",
              "form-action 'none'",
              "frame-ancestors 'none'",
              "require-trusted-types-for 'script'",
              "trusted-types bridle"));

  private static final String PERMISSIONS =
      "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(),"
          + " gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()";

  /** What decides which other files run is asked for at each start. */
  private static final Set<String> NOT_STORED = Set.of("index.html", "sw.js");

  private final String path;
  private final PageBundle page;

  private StaticPages(HttpService delegate, String path, PageBundle page) {
    super(delegate);
    this.path = path;
    this.page = page;
  }

  /**
   * Returns a service that serves a page too.
   *
   * @param path where, with a slash at both ends
   */
  public static HttpService around(HttpService service, String path, PageBundle page) {
    return new StaticPages(service, path, page);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    HttpMethod method = request.method();
    String asked = request.path();
    if (method != HttpMethod.GET && method != HttpMethod.HEAD) {
      return unwrap().serve(ctx, request);
    }
    if (asked.equals(path.substring(0, path.length() - 1))) {
      return HttpResponse.of(
          ResponseHeaders.of(HttpStatus.valueOf(308), HttpHeaderNames.LOCATION, path));
    }
    Optional<PageFile> file =
        asked.startsWith(path) ? page.file(asked.substring(path.length())) : Optional.empty();
    if (file.isEmpty()) {
      return unwrap().serve(ctx, request);
    }
    return answer(request, file.get());
  }

  private static HttpResponse answer(HttpRequest request, PageFile file) {
    String tag = '"' + file.sha256() + '"';
    boolean isKnown =
        request.headers().getAll(HttpHeaderNames.IF_NONE_MATCH).stream()
            .anyMatch(tags -> tags.contains(tag));
    boolean isCompressed =
        request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING).stream()
            .anyMatch(StaticPages::takesGzip);
    byte[] content = isCompressed ? file.compressed() : file.bytes();
    ResponseHeadersBuilder headers = headers(isKnown ? HttpStatus.NOT_MODIFIED : HttpStatus.OK);
    headers.set(HttpHeaderNames.ETAG, tag);
    headers.set(
        HttpHeaderNames.CACHE_CONTROL, NOT_STORED.contains(file.name()) ? "no-store" : "no-cache");
    headers.set(HttpHeaderNames.VARY, "accept-encoding");
    if (isKnown) {
      return HttpResponse.of(headers.build());
    }
    headers.set(HttpHeaderNames.CONTENT_TYPE, file.type());
    headers.setLong(HttpHeaderNames.CONTENT_LENGTH, content.length);
    if (isCompressed) {
      headers.set(HttpHeaderNames.CONTENT_ENCODING, "gzip");
    }
    return request.method() == HttpMethod.HEAD
        ? HttpResponse.of(headers.build())
        : HttpResponse.of(headers.build(), HttpData.wrap(content));
  }

  /** Returns whether a header names gzip and does not refuse it. */
  private static boolean takesGzip(String accepted) {
    for (String coding : accepted.split(",", -1)) {
      String[] parts = coding.trim().split("\\s*;\\s*", 2);
      if (parts[0].equalsIgnoreCase("gzip")) {
        return parts.length == 1 || !parts[1].matches("q=0(\\.0*)?");
      }
    }
    return false;
  }

  private static ResponseHeadersBuilder headers(HttpStatus status) {
    return ResponseHeaders.builder(status)
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
        .set(HttpHeaderNames.of("permissions-policy"), PERMISSIONS)
        .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
        .set(HttpHeaderNames.of("cross-origin-opener-policy"), "same-origin")
        .set(HttpHeaderNames.of("cross-origin-resource-policy"), "same-origin")
        .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
  }
}
