package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * The options that an agent offers with a question, and which of them an answer may name, by the
 * server's rule: an approval that names none means the one that allows once; where there is not
 * exactly one, it has to name one, and nobody picks it for a person.
 *
 * @param all the options, in the agent's order
 */
public record OfferedOptions(List<JsonNode> all) {
  static final String ALWAYS = "allow_always";

  private static final String ONCE = "allow_once";
  private static final String REJECT = "reject_";

  /** Copies the options. */
  public OfferedOptions {
    all = List.copyOf(all);
  }

  /** Returns the options of a permission request. */
  public static OfferedOptions of(JsonNode request) {
    return listed(request.at("/request/options"));
  }

  /** Returns the options of a list; none where it is missing. */
  public static OfferedOptions listed(JsonNode options) {
    return new OfferedOptions(StreamSupport.stream(options.spliterator(), false).toList());
  }

  /** Returns whether an option allows the action. */
  public static boolean allows(JsonNode option) {
    return isOf(option, ONCE) || isOf(option, ALWAYS);
  }

  /** Returns whether an option means always, and is not counted as once. */
  boolean meansAlways(JsonNode option) {
    return isOf(option, ALWAYS) && ids(ONCE).isEmpty();
  }

  /** Returns whether an approval has to name an option. */
  public boolean needChoice() {
    return !all.isEmpty() && ids(ONCE).size() != 1;
  }

  /**
   * Returns the ids of the options of which an approval has to name one; empty if it has to name
   * none, or the agent offers none that allows.
   */
  public List<String> choices() {
    List<String> once = ids(ONCE);
    return !needChoice() ? List.of() : once.isEmpty() ? ids(ALWAYS) : once;
  }

  /** Returns the ids of the options that an approval may name. */
  public List<String> approving() {
    return needChoice() ? choices() : ids(OfferedOptions::allows);
  }

  /** Returns the ids of the options that a denial may name. */
  public List<String> denying() {
    return ids(option -> kind(option).startsWith(REJECT));
  }

  private List<String> ids(String kind) {
    return ids(option -> isOf(option, kind));
  }

  private List<String> ids(Predicate<JsonNode> which) {
    return all.stream().filter(which).map(option -> option.path("id").asText()).toList();
  }

  private static boolean isOf(JsonNode option, String kind) {
    return kind(option).equals(kind);
  }

  private static String kind(JsonNode option) {
    return option.path("kind").asText();
  }
}
