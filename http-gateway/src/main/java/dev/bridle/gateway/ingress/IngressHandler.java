package dev.bridle.gateway.ingress;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.connector.v1.FindIngressRequest;
import dev.bridle.connector.v1.FindIngressResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.IngressServiceGrpc;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.JsonAnswers;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RequestPlan;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Serves a route whose body may be of any type. Passes body and headers on unchanged, since a
 * signature covers each byte.
 */
public final class IngressHandler implements RouteHandler {
  private static final int MAX_HEADERS = 100;
  private static final int MAX_NAME = 256;
  private static final int MAX_VALUE = 8192;

  private final RequestBinder binder;
  private final FieldDescriptor data;
  private final FieldDescriptor headers;
  private final CoreCalls core;
  private final JsonAnswers answers;
  private final Bodies bodies;
  private final int maxBytes;

  /** Creates a handler for one route, with a maximum size of bodies. */
  public IngressHandler(
      RequestPlan plan,
      RequestBinder binder,
      CoreCalls core,
      JsonAnswers answers,
      Bodies bodies,
      int maxBytes) {
    this.binder = binder;
    this.data = plan.data().orElseThrow();
    this.headers = plan.requestHeaders().orElseThrow();
    this.core = core;
    this.answers = answers;
    this.bodies = bodies;
    this.maxBytes = maxBytes;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    Message.Builder request = binder.bind(exchange, Optional.empty()).message();
    headers(exchange, request);
    return HttpResponse.of(
        find(exchange)
            .thenCompose(
                found -> bodies.readOpen(exchange, maxBytes, "connector " + found.getConnectorId()))
            .thenCompose(body -> hand(exchange, request, body))
            .exceptionally(failure -> Failures.response(exchange, failure)));
  }

  /** Finds the connector of the path; fails with {@code resource_not_found} if there is none. */
  private CompletableFuture<FindIngressResponse> find(Exchange exchange) {
    return core.unary(
        IngressServiceGrpc.getFindIngressMethod(),
        FindIngressRequest.newBuilder().setIngressId(exchange.pathValues().get(0)).build(),
        CoreCalls.withoutCredentials(exchange),
        exchange.requestId());
  }

  private CompletableFuture<HttpResponse> hand(
      Exchange exchange, Message.Builder request, byte[] body) {
    request.setField(data, ByteString.copyFrom(body));
    return core.unary(exchange, request.build())
        .thenCompose(message -> answers.of(exchange, message));
  }

  private void headers(Exchange exchange, Message.Builder request) {
    int count = 0;
    for (Map.Entry<?, String> header : exchange.request().headers()) {
      String name = header.getKey().toString();
      if (name.startsWith(":")) {
        continue; // An HTTP/2 pseudo-header.
      }
      count++;
      if (count > MAX_HEADERS
          || name.length() > MAX_NAME
          || header.getValue().length() > MAX_VALUE) {
        throw new ProtocolException(
            ProtocolError.ofStatus(431, "The request headers are too large."));
      }
      request.addRepeatedField(
          headers, IngressHeader.newBuilder().setName(name).setValue(header.getValue()).build());
    }
  }
}
