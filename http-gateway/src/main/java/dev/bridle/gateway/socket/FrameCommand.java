package dev.bridle.gateway.socket;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.bridle.gateway.call.Exchange;
import dev.bridle.gateway.call.Gates;
import dev.bridle.gateway.call.RequestBinder;
import dev.bridle.gateway.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A command that frames of one type give: the REST operation of a route, with the same binding,
 * scopes, validation and idempotency.
 */
public final class FrameCommand {

  private final Route route;
  private final RequestBinder binder;

  /** The command of a route that has a frame. */
  public FrameCommand(Route route, RequestBinder binder) {
    this.route = route;
    this.binder = binder;
  }

  /** The type of its frames. */
  public String type() {
    return route.rule().getFrame();
  }

  /** The status that REST answers success with. */
  int status() {
    return route.status();
  }

  /**
   * The exchange that a REST request with the same content would be.
   *
   * @param socket the upgrade, whose path implies what a frame leaves out
   * @throws dev.bridle.gateway.error.ProtocolException where the frame is refused
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
                      ClientFrame.refusal(
                          name, "The member is missing, and the path does not imply it.")));
    }
    RequestHeadersBuilder headers = socket.request().headers().toBuilder();
    headers.remove(Gates.IDEMPOTENCY_KEY);
    frame
        .text("idempotency_key")
        .ifPresent(
            key ->
                headers.set(Gates.IDEMPOTENCY_KEY, Gates.idempotencyKey("idempotency_key", key)));
    return new Exchange(
        socket.ctx(), socket.request().withHeaders(headers), route, path, requestId, "", false);
  }

  private static Optional<String> implied(Exchange socket, String name) {
    int at = socket.route().path().variables().indexOf(name);
    return at < 0 ? Optional.empty() : Optional.of(socket.pathValues().get(at));
  }

  /** The request message of a frame. */
  Message request(Exchange exchange, ClientFrame frame) {
    if (route.hasBody() && !route.rule().getBodyOptional() && frame.body().isEmpty()) {
      throw ClientFrame.refusal("body", "The member is missing; expected a JSON object.");
    }
    return binder.bind(exchange, route.hasBody() ? frame.body() : Optional.empty()).build();
  }
}
