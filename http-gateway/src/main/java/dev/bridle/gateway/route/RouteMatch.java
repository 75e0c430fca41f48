package dev.bridle.gateway.route;

import com.linecorp.armeria.common.HttpMethod;
import java.util.List;
import java.util.Set;

/** What a request's method and path lead to. */
public sealed interface RouteMatch {

  /** A route, with the decoded values of its path variables from left to right. */
  record Found(Route route, List<String> values) implements RouteMatch {}

  /** A path that is served, but not with this method. */
  record OtherMethods(Set<HttpMethod> allowed) implements RouteMatch {}

  /** A path that is not served. */
  record NoPath() implements RouteMatch {}
}
