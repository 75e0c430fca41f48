package dev.bridle.gateway.kit.route;

import com.linecorp.armeria.common.HttpMethod;
import java.util.List;
import java.util.Set;

/**
 * The result of matching a request's method and path.
 *
 * @param <R> the type of routes
 */
public sealed interface RouteMatch<R> {

  /**
   * A matching route.
   *
   * @param <R> the type of routes
   * @param route the route
   * @param values the decoded values of its path variables from left to right
   */
  record Found<R>(R route, List<String> values) implements RouteMatch<R> {}

  /**
   * A known path that does not support the method.
   *
   * @param <R> the type of routes
   * @param allowed the methods that it supports
   */
  record OtherMethods<R>(Set<HttpMethod> allowed) implements RouteMatch<R> {}

  /**
   * An unknown path.
   *
   * @param <R> the type of routes
   */
  record NoPath<R>() implements RouteMatch<R> {}
}
