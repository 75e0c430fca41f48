package dev.bridle.harpgateway.call;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.kit.call.Call;
import dev.bridle.gateway.kit.call.Target;
import dev.bridle.gateway.kit.error.ErrorFormat;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.harpgateway.envelope.HarpErrors;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One HTTP request with its route.
 *
 * @param ctx Armeria's context of the request
 * @param request the request
 * @param route the route
 * @param pathValues the values of the route's path variables, from left to right
 * @param requestId the request's id in responses and logs
 * @param query the parameters of the query
 */
public record HarpCall(
    ServiceRequestContext ctx,
    HttpRequest request,
    HarpRoute route,
    List<String> pathValues,
    String requestId,
    QueryParams query)
    implements Call {

  @Override
  public Target target() {
    return route.target();
  }

  @Override
  public ErrorFormat errors() {
    return HarpErrors.FORMAT;
  }

  /** Returns the same call, served by another method of the core. */
  public HarpCall to(HarpRoute other) {
    return new HarpCall(ctx, request, other, pathValues, requestId, query);
  }

  /** Rejects parameters that the route does not have, and repeated ones. */
  public HarpCall takes(Set<String> names) {
    for (String name : query.names()) {
      if (!names.contains(name) || query.getAll(name).size() > 1) {
        throw new ProtocolException(
            ProtocolError.invalid(name, "The parameter is unknown here, or repeated."));
      }
    }
    return this;
  }

  /** Returns a parameter that is a whole number; the core checks its range. */
  public Optional<Integer> number(String name) {
    String given = query.get(name);
    if (given == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Integer.parseInt(given));
    } catch (NumberFormatException e) {
      throw new ProtocolException(
          ProtocolError.invalid(name, "The parameter must be a whole number."));
    }
  }

  /** Returns a parameter as it was sent. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(query.get(name));
  }
}
