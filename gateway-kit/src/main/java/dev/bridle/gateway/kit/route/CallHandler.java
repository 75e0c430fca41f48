package dev.bridle.gateway.kit.route;

import com.linecorp.armeria.common.HttpResponse;
import dev.bridle.gateway.kit.call.Call;

/**
 * Serves the calls of one route. Runs on event loops and must not block.
 *
 * @param <C> the type of calls
 */
public interface CallHandler<C extends Call> {
  /**
   * Serves a call.
   *
   * @throws dev.bridle.gateway.kit.error.ProtocolException if it is rejected before it reaches the
   *     core; invalid credentials take precedence
   */
  HttpResponse serve(C call);
}
