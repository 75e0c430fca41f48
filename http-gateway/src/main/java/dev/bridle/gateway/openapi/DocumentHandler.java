package dev.bridle.gateway.openapi;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.RouteHandler;

/** Serves a document that is made once. */
public final class DocumentHandler implements RouteHandler {

  private static final ResponseHeaders HEADERS =
      ResponseHeaders.builder(HttpStatus.OK).contentType(MediaType.JSON).build();

  private final HttpData document;

  /** Serves a JSON document. */
  public DocumentHandler(byte[] json) {
    this.document = HttpData.wrap(json);
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    return HttpResponse.of(HEADERS, document);
  }
}
