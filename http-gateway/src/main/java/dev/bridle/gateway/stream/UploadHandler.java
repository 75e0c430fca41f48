package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.JsonAnswers;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RequestPlan;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Failures;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.kit.stream.StreamSettings;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Serves {@code PUT …/content}: sends the body's bytes, of any type, to the core in chunks. */
public final class UploadHandler implements RouteHandler {

  private final RequestPlan plan;
  private final RequestBinder binder;
  private final CoreCalls core;
  private final JsonAnswers answers;
  private final Bodies bodies;
  private final StreamSettings settings;
  private final long maxBytes;

  /** Creates a handler for one route, with a maximum size of uploads. */
  public UploadHandler(
      RequestPlan plan,
      RequestBinder binder,
      CoreCalls core,
      JsonAnswers answers,
      Bodies bodies,
      StreamSettings settings,
      long maxBytes) {
    this.plan = plan;
    this.binder = binder;
    this.core = core;
    this.answers = answers;
    this.bodies = bodies;
    this.settings = settings;
    this.maxBytes = maxBytes;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    return HttpResponse.of(
        bodies
            .admit(exchange)
            .thenCompose(tenant -> upload(exchange))
            .thenCompose(message -> answers.of(exchange, message))
            .exceptionally(failure -> Failures.response(exchange, failure)));
  }

  private CompletableFuture<Message> upload(Exchange exchange) {
    HeaderChecks.length(exchange.request().headers(), maxBytes);
    var first = binder.bind(exchange, Optional.empty()).message();
    var upload =
        new Upload(
            exchange,
            core.stream(exchange.target().method()),
            first,
            plan.data().orElseThrow(),
            settings,
            maxBytes);
    return upload.start();
  }
}
