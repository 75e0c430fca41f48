package dev.bridle.gateway.kit.route;

import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.gateway.kit.route.RouteMatch.Found;
import dev.bridle.gateway.kit.route.RouteMatch.NoPath;
import dev.bridle.gateway.kit.route.RouteMatch.OtherMethods;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The routes of a gateway by their paths. Literals take precedence over variables.
 *
 * @param <R> the type of routes
 */
public final class PathTree<R> {

  private final Map<String, PathTree<R>> literals = new HashMap<>();
  private final Map<HttpMethod, R> routes = new TreeMap<>();
  private Optional<PathTree<R>> variable = Optional.empty();

  /** Creates a tree without routes. */
  public PathTree() {}

  /** Adds a route, unless there is one with this method and path, which is returned. */
  public Optional<R> add(HttpMethod method, PathTemplate path, R route) {
    PathTree<R> node = this;
    for (PathTemplate.Segment segment : path.segments()) {
      if (segment.variable()) {
        if (node.variable.isEmpty()) {
          node.variable = Optional.of(new PathTree<>());
        }
        node = node.variable.get();
      } else {
        node = node.literals.computeIfAbsent(segment.text(), name -> new PathTree<>());
      }
    }
    return Optional.ofNullable(node.routes.putIfAbsent(method, route));
  }

  /** Finds the route of a request by its method and its raw (still percent-encoded) path. */
  public RouteMatch<R> find(HttpMethod method, String path) {
    List<String> values = new ArrayList<>(2);
    // Only the root path ends with a slash.
    PathTree<R> end = path.equals("/") ? this : path.isEmpty() ? null : descend(path, 0, values);
    if (end == null || end.routes.isEmpty()) {
      return new NoPath<>();
    }
    R route = end.routes.get(method);
    return route == null ? new OtherMethods<>(end.routes.keySet()) : new Found<>(route, values);
  }

  /** Returns the node at the end of the rest of a path, or null; private to this class. */
  private PathTree<R> descend(String path, int from, List<String> values) {
    if (from == path.length()) {
      return routes.isEmpty() ? null : this;
    }
    if (path.charAt(from) != '/') {
      return null;
    }
    int slash = path.indexOf('/', from + 1);
    int end = slash < 0 ? path.length() : slash;
    Optional<String> segment = decode(path.substring(from + 1, end));
    if (segment.isEmpty() || segment.get().isEmpty()) {
      return null;
    }
    PathTree<R> literal = literals.get(segment.get());
    PathTree<R> found = literal == null ? null : literal.descend(path, end, values);
    if (found == null && variable.isPresent()) {
      values.add(segment.get());
      found = variable.get().descend(path, end, values);
      if (found == null) {
        values.remove(values.size() - 1);
      }
    }
    return found;
  }

  /** Decodes percent-escapes; returns empty if they are not valid UTF-8. */
  private static Optional<String> decode(String segment) {
    if (segment.indexOf('%') < 0) {
      return Optional.of(segment);
    }
    ByteBuffer bytes = ByteBuffer.allocate(segment.length() * 3);
    int at = 0;
    while (at < segment.length()) {
      char c = segment.charAt(at);
      if (c == '%') {
        int high = at + 2 < segment.length() ? Character.digit(segment.charAt(at + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(segment.charAt(at + 2), 16);
        if (low < 0) {
          return Optional.empty();
        }
        bytes.put((byte) (high << 4 | low));
        at += 3;
      } else {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        at++;
      }
    }
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
