package dev.bridle.host.process;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment of an agent: what is named, and nothing else. Values may be secrets, so {@link
 * #toString} has names alone.
 *
 * @param variables names and values
 * @param withheld how many variables of this process the agent does not get
 */
public record AgentEnvironment(Map<String, String> variables, int withheld) {
  private static final Set<String> NAMES =
      Set.of("PATH", "HOME", "USER", "LANG", "TERM", "TMPDIR", "TZ");
  private static final Set<String> NETWORK =
      Set.of(
          "HTTP_PROXY",
          "HTTPS_PROXY",
          "ALL_PROXY",
          "NO_PROXY",
          "http_proxy",
          "https_proxy",
          "all_proxy",
          "no_proxy",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "NODE_EXTRA_CA_CERTS",
          "REQUESTS_CA_BUNDLE",
          "CURL_CA_BUNDLE");

  /** The folder of the user's services, which start programs outside of an agent's isolation. */
  private static final String SOCKETS = "XDG_RUNTIME_DIR";

  /** Checks names, and copies. */
  public AgentEnvironment {
    variables = Map.copyOf(variables);
    for (String name : variables.keySet()) {
      if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
        throw new IllegalArgumentException(
            "variable '" + name + "' is no name, expected one without '='");
      }
    }
  }

  /**
   * Chooses from an environment: where programs and the user's files are, language, terminal and
   * time zone, {@code LC_*}, {@code XDG_*} but for the folder of sockets, proxies and certificates.
   *
   * @param whole the environment of this process
   * @param named further variables that the agent gets if they are there; naming is the only way
   *     for credentials, agent sockets and {@code BRIDLE_*}
   * @param set variables with values of their own, which replace others
   */
  public static AgentEnvironment choose(
      Map<String, String> whole, Set<String> named, Map<String, String> set) {
    Map<String, String> chosen = new TreeMap<>();
    whole.forEach(
        (name, value) -> {
          if (allowed(name) || named.contains(name)) {
            chosen.put(name, value);
          }
        });
    int withheld =
        (int)
            whole.keySet().stream()
                .filter(name -> !chosen.containsKey(name) && !set.containsKey(name))
                .count();
    chosen.putAll(set);
    return new AgentEnvironment(chosen, withheld);
  }

  private static boolean allowed(String name) {
    return NAMES.contains(name)
        || NETWORK.contains(name)
        || name.startsWith("LC_")
        || (name.startsWith("XDG_") && !name.equals(SOCKETS));
  }

  @Override
  public String toString() {
    return "AgentEnvironment[" + variables.keySet() + ", withheld " + withheld + "]";
  }
}
