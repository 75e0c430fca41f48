package dev.bridle.gateway.socket;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.bridle.gateway.call.Binding;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.HandlingPreference;
import dev.bridle.gateway.call.UnaryHandler;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A command of one frame type: runs the REST operation of a route with the same binding, scopes,
 * validation and idempotency.
 */
public final class FrameCommand {

  /** The members of commands, besides the variables of their paths. */
  private static final List<String> MEMBERS = List.of("idempotency_key", "prefer", "body");

  private final Route route;
  private final UnaryHandler operation;

  /** Creates the command of a route with a frame type. */
  public FrameCommand(Route route, UnaryHandler operation) {
    this.route = route;
    this.operation = operation;
  }

  /** Returns its frame type. */
  public String type() {
    return route.rule().getFrame();
  }

  /** Returns the HTTP status of success. */
  int status() {
    return route.status();
  }

  /**
   * Returns the exchange of an equivalent REST request.
   *
   * @param socket the upgrade request, whose path supplies members that the frame omits
   * @throws dev.bridle.gateway.kit.error.ProtocolException if the frame is invalid
   */
  Exchange exchange(Exchange socket, ClientFrame frame, String requestId) {
    List<String> path = new ArrayList<>();
    for (String name : route.path().variables()) {
      path.add(
          frame
              .text(name)
              .or(() -> implied(socket, name))
              .orElseThrow(
                  () ->
                      ClientFrame.invalid(
                          name, "The member is missing, and the path does not supply it.")));
    }
    RequestHeadersBuilder headers = socket.request().headers().toBuilder();
    headers.remove(HeaderChecks.IDEMPOTENCY_KEY);
    frame
        .text("idempotency_key")
        .ifPresent(
            key ->
                headers.set(
                    HeaderChecks.IDEMPOTENCY_KEY,
                    HeaderChecks.idempotencyKey("idempotency_key", key)));
    frame
        .text("prefer")
        .ifPresent(
            preferences ->
                headers.set(HandlingPreference.PREFER, HandlingPreference.normalized(preferences)));
    return new Exchange(
        socket.ctx(), socket.request().withHeaders(headers), route, path, requestId, "", false);
  }

  /**
   * Returns the unknown members of a frame that are ignored.
   *
   * @throws dev.bridle.gateway.kit.error.ProtocolException if there are any and the client has not
   *     asked for lenient handling
   */
  List<String> ignored(Exchange exchange, ClientFrame frame) {
    List<String> own = new ArrayList<>(MEMBERS);
    own.addAll(route.path().variables());
    if (!HandlingPreference.isLenient(exchange.request().headers())) {
      frame.needOnly(own);
    }
    return frame.unknown(own);
  }

  private static Optional<String> implied(Exchange socket, String name) {
    int at = socket.route().path().variables().indexOf(name);
    return at < 0 ? Optional.empty() : Optional.of(socket.pathValues().get(at));
  }

  /**
   * Binds the body of a frame.
   *
   * @throws dev.bridle.gateway.kit.error.ProtocolException if the frame is invalid
   */
  Binding bind(Exchange exchange, ClientFrame frame) {
    if (route.hasBody() && !route.rule().getBodyOptional() && frame.body().isEmpty()) {
      throw ClientFrame.invalid("body", "The member is missing; expected a JSON object.");
    }
    return operation.bind(exchange, frame.body());
  }

  /** Calls the core with a bound frame. */
  CompletableFuture<Message> call(Exchange exchange, Binding bound) {
    return operation.call(exchange, bound);
  }
}
