package dev.bridle.gateway.openapi;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RouteHandler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Serves a document that is created once, in the background of the server's start. */
public final class DocumentHandler implements RouteHandler {

  private static final ResponseHeaders HEADERS =
      ResponseHeaders.builder(HttpStatus.OK).contentType(MediaType.JSON).build();

  private final CompletableFuture<HttpData> document;

  private final RequestBinder binder;

  /** Creates a handler and starts to create its JSON document. */
  public DocumentHandler(RequestBinder binder, Supplier<byte[]> json) {
    this.binder = binder;
    this.document = CompletableFuture.supplyAsync(() -> HttpData.wrap(json.get()));
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    binder.bind(exchange, Optional.empty()).announce(exchange.ctx());
    return HttpResponse.of(document.thenApply(made -> HttpResponse.of(HEADERS, made)));
  }
}
