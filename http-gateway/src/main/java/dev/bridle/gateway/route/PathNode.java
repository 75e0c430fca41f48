package dev.bridle.gateway.route;

import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.gateway.route.RouteMatch.Found;
import dev.bridle.gateway.route.RouteMatch.NoPath;
import dev.bridle.gateway.route.RouteMatch.OtherMethods;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A node of the path tree. Literals take precedence over variables. */
final class PathNode {

  private final Map<String, PathNode> literals = new HashMap<>();
  private final Map<HttpMethod, Route> routes = new TreeMap<>();
  private Optional<PathNode> variable = Optional.empty();

  void add(Route route) {
    PathNode node = this;
    for (PathTemplate.Segment segment : route.path().segments()) {
      if (segment.variable()) {
        if (node.variable.isEmpty()) {
          node.variable = Optional.of(new PathNode());
        }
        node = node.variable.get();
      } else {
        node = node.literals.computeIfAbsent(segment.text(), name -> new PathNode());
      }
    }
    Route other = node.routes.putIfAbsent(route.httpMethod(), route);
    if (other != null) {
      throw new IllegalArgumentException(
          route.descriptor().getFullName()
              + " and "
              + other.descriptor().getFullName()
              + " both have "
              + route.httpMethod()
              + " "
              + route.path().text()
              + ".");
    }
  }

  RouteMatch find(HttpMethod method, String path) {
    List<String> values = new ArrayList<>(2);
    // Only the root path ends with a slash.
    PathNode end = path.equals("/") ? this : path.isEmpty() ? null : descend(path, 0, values);
    if (end == null || end.routes.isEmpty()) {
      return new NoPath();
    }
    Route route = end.routes.get(method);
    return route == null ? new OtherMethods(end.routes.keySet()) : new Found(route, values);
  }

  /** Returns the node at the end of the rest of a path, or null; private to this class. */
  private PathNode descend(String path, int from, List<String> values) {
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
    PathNode literal = literals.get(segment.get());
    PathNode found = literal == null ? null : literal.descend(path, end, values);
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
