package dev.bridle.gateway.stream;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.call.Bodies;
import dev.bridle.gateway.call.CoreCalls;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.HeaderChecks;
import dev.bridle.gateway.call.JsonAnswers;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.call.RequestPlan;
import dev.bridle.gateway.call.RouteHandler;
import dev.bridle.gateway.call.Transcoder;
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

  /** Creates a handler for one route. */
  public UploadHandler(
      RequestPlan plan,
      RequestBinder binder,
      CoreCalls core,
      JsonAnswers answers,
      Bodies bodies,
      StreamSettings settings) {
    this.plan = plan;
    this.binder = binder;
    this.core = core;
    this.answers = answers;
    this.bodies = bodies;
    this.settings = settings;
  }

  @Override
  public HttpResponse serve(Exchange exchange) {
    return HttpResponse.of(
        bodies
            .admit(exchange)
            .thenCompose(tenant -> upload(exchange))
            .thenApply(answers::of)
            .exceptionally(failure -> Transcoder.failure(exchange, failure)));
  }

  private CompletableFuture<Message> upload(Exchange exchange) {
    HeaderChecks.length(exchange.request().headers(), settings.maxUploadBytes());
    var first = binder.bind(exchange, Optional.empty());
    var upload =
        new Upload(
            exchange,
            core.stream(exchange.route().method()),
            first,
            plan.data().orElseThrow(),
            settings);
    return upload.start();
  }
}
