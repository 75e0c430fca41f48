package dev.bridle.gateway.call;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.json.JsonTape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Collects the members and query parameters of one request that its operation does not set: unknown
 * ones, and those that only the server sets.
 */
final class UnknownMembers {
  /** The maximum number of members that are named. */
  static final int MAX_NAMED = 32;

  private static final int MAX_NAME = 128;

  private final RequestPlan plan;
  private final List<String> names = new ArrayList<>();
  private String reason = "";
  private int count;

  UnknownMembers(RequestPlan plan) {
    this.plan = plan;
  }

  /** Adds a query parameter. */
  void addParameter(String name) {
    count++;
    if (count <= MAX_NAMED) {
      String known = String.join(", ", plan.query().keySet());
      add(
          name,
          known.isEmpty()
              ? "Unknown query parameter; the operation has none."
              : "Unknown query parameter; expected one of " + known + ".");
    }
  }

  /** Adds a member of the body. */
  void addMember(JsonTape tape, int body, int node) {
    count++;
    if (count <= MAX_NAMED) {
      String path = tape.path(body, node);
      add(
          path,
          !plan.takesBody()
              ? "The operation takes no body."
              : plan.isResourceMember(path)
                  ? "The member is read-only: this operation returns it and does not set it."
                  : "Unknown member.");
    }
  }

  private void add(String name, String problem) {
    reason = names.isEmpty() ? problem : reason;
    names.add(name.length() > MAX_NAME ? shortened(name) : name);
  }

  /** Never splits a surrogate pair. */
  private static String shortened(String name) {
    int end = Character.isHighSurrogate(name.charAt(MAX_NAME - 1)) ? MAX_NAME - 1 : MAX_NAME;
    return name.substring(0, end) + "…";
  }

  /** Returns the names, {@value #MAX_NAMED} at most, in the order of the request. */
  List<String> names() {
    return List.copyOf(names);
  }

  /**
   * Rejects the request if there are any.
   *
   * @throws ProtocolException {@code invalid_request} that names them
   */
  void reject() {
    if (names.isEmpty()) {
      return;
    }
    String others =
        count > 1 ? " The request has " + count + " of these; see details.unknown." : "";
    String quoted =
        names.stream()
            .map(
                name -> '"' + new String(JsonStringEncoder.getInstance().quoteAsString(name)) + '"')
            .collect(Collectors.joining(","));
    throw new ProtocolException(
        ProtocolError.invalid(
                names.get(0),
                reason
                    + others
                    + " Leave it out, or send the header \"Prefer: "
                    + HandlingPreference.LENIENT_HANDLING
                    + "\" to have it ignored.")
            .with("{\"unknown\":[" + quoted + "]}"));
  }
}
