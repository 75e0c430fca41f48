package dev.bridle.gateway.page;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.JsonAnswers;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.stream.WholeResponses;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Serves a route that returns JSON, or an HTML page if the client prefers HTML. */
public final class PageHandler implements RouteHandler {
  private static final ResponseHeaders HTML =
      ResponseHeaders.builder(HttpStatus.OK)
          .contentType(MediaType.HTML_UTF_8)
          .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
          .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'")
          .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
          .build();

  private final RequestBinder binder;
  private final CoreCalls core;
  private final JsonAnswers json;
  private final WholeResponses responses;

  /** Creates a handler for one route. */
  public PageHandler(
      RequestBinder binder, CoreCalls core, JsonAnswers json, WholeResponses responses) {
    this.binder = binder;
    this.core = core;
    this.json = json;
    this.responses = responses;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    Message request = binder.bind(exchange, Optional.empty()).message().build();
    boolean html = prefersHtml(exchange);
    return HttpResponse.of(
        core.unary(exchange, request)
            .thenCompose(message -> answer(exchange, message, html))
            .exceptionally(failure -> Failures.response(exchange, failure)));
  }

  private CompletableFuture<HttpResponse> answer(Exchange exchange, Message message, boolean html) {
    CompletableFuture<HttpResponse> response =
        html
            ? responses.of(exchange, HTML, HtmlPage.of(message).getBytes(StandardCharsets.UTF_8))
            : json.of(exchange, message);
    return response.thenApply(
        made ->
            made.mapHeaders(
                headers -> headers.toBuilder().add(HttpHeaderNames.VARY, "accept").build()));
  }

  /** Returns whether {@code Accept} lists HTML before any type that JSON matches. */
  private static boolean prefersHtml(Exchange exchange) {
    for (MediaType accepted : exchange.request().headers().accept()) {
      if (accepted.type().equals("text") && accepted.subtype().equals("html")) {
        return true;
      }
      if (MediaType.JSON.belongsTo(accepted.withoutParameters())) {
        return false;
      }
    }
    return false;
  }
}
