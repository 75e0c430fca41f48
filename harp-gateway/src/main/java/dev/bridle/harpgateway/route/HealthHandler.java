package dev.bridle.harpgateway.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.bridle.discovery.v1.GetHealthRequest;
import dev.bridle.discovery.v1.Health;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.harpgateway.call.HarpCall;

/**
 * Says whether the relay accepts work, as the core does; an extension. Open, so that a load
 * balancer can ask. The status is 503 where it accepts none, since those look at nothing else.
 */
final class HealthHandler implements CallHandler<HarpCall> {
  private final CoreCalls core;

  HealthHandler(CoreCalls core) {
    this.core = core;
  }

  @Override
  public HttpResponse serve(HarpCall call) {
    return HttpResponse.of(
        core.unary(call, GetHealthRequest.getDefaultInstance())
            .thenApply(health -> answer((Health) health))
            .exceptionally(failure -> Failures.response(call, failure)));
  }

  private static HttpResponse answer(Health health) {
    ResponseHeaders headers =
        ResponseHeaders.builder(health.getOk() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build();
    String document =
        JsonNodeFactory.instance
            .objectNode()
            .put("ok", health.getOk())
            .put("status", health.getStatus())
            .put("version", health.getVersion())
            .toString();
    return HttpResponse.of(headers, HttpData.ofUtf8(document));
  }
}
