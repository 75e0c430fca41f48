package dev.bridle.gateway.kit.route;

import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.gateway.kit.call.Call;
import java.util.List;

/**
 * What a protocol asks of a request before it is served. Runs on event loops and must not block.
 *
 * @param <R> the type of routes
 * @param <C> the type of calls
 */
public interface Admission<R, C extends Call> {
  /** Converts the headers of a WebSocket's handshake to those of an equivalent plain request. */
  RequestHeaders plain(RequestHeaders handshake);

  /**
   * Checks what is answered without asking the core, such as the form of credentials.
   *
   * @param values the values of the path's variables, from left to right
   * @throws dev.bridle.gateway.kit.error.ProtocolException if the request is rejected
   */
  C admit(Arrival arrival, R route, List<String> values);

  /**
   * Returns the handler of a call.
   *
   * @throws dev.bridle.gateway.kit.error.ProtocolException if there is none; invalid credentials
   *     take precedence
   */
  CallHandler<C> handler(C call);
}
