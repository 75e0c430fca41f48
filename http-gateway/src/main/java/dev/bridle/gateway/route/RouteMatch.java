package dev.bridle.gateway.route;

import com.linecorp.armeria.common.HttpMethod;
import java.util.List;
import java.util.Set;

/** The result of matching a request's method and path. */
public sealed interface RouteMatch {

  /** A matching route, with the decoded values of its path variables from left to right. */
  record Found(Route route, List<String> values) implements RouteMatch {}

  /** A known path that does not support the method. */
  record OtherMethods(Set<HttpMethod> allowed) implements RouteMatch {}

  /** An unknown path. */
  record NoPath() implements RouteMatch {}
}
