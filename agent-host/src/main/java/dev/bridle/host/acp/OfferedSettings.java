package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The modes and configuration options that an agent offers for a session. All texts are the
 * agent's.
 *
 * @param modes the modes; the values of the option of the category {@code mode} if there is no list
 *     of modes
 * @param mode the id of the current mode, empty if it is unknown
 * @param options the configuration options
 */
public record OfferedSettings(List<Value> modes, String mode, List<Option> options) {
  /** The kind of an option with a list of values. */
  static final String SELECT = "select";

  /** The kind of an option that is on or off. */
  static final String BOOLEAN = "boolean";

  private static final String MODE = "mode";

  /** Copies. */
  public OfferedSettings {
    modes = List.copyOf(modes);
    options = List.copyOf(options);
  }

  /**
   * A mode, or a value of an option.
   *
   * @param id what it is chosen by
   * @param name for people, empty if there is none
   */
  public record Value(String id, String name) {}

  /**
   * A configuration option.
   *
   * @param id what it is chosen by
   * @param name for people, empty if there is none
   * @param category what it is about, such as {@code model}; empty if the agent says nothing
   * @param type {@code select}, {@code boolean}, or a kind that this version does not know
   * @param current the current value
   * @param values the values that it may have, if it is a selection
   */
  public record Option(
      String id, String name, String category, String type, String current, List<Value> values) {
    /** Copies. */
    public Option {
      values = List.copyOf(values);
    }

    private static Option of(RawJson whole) {
      Members option = Members.of(whole);
      List<Value> values = new ArrayList<>();
      for (RawJson each : option.objects("options")) {
        Members value = Members.of(each);
        if (value.names().contains("group")) {
          value.objects("options").forEach(inner -> values.add(value(Members.of(inner), "value")));
        } else {
          values.add(value(value, "value"));
        }
      }
      return new Option(
          option.text("id"),
          option.text("name"),
          option.text("category"),
          option.text("type"),
          option.json("currentValue").asText(""),
          values);
    }
  }

  /** Reads the answer to the call that opened a session, or its part that says what is offered. */
  public static OfferedSettings of(RawJson answer) {
    Members whole = Members.of(answer);
    Members modes = whole.object("modes");
    List<Option> options = options(whole.objects("configOptions"));
    List<Value> listed =
        modes.objects("availableModes").stream()
            .map(each -> value(Members.of(each), "id"))
            .toList();
    Optional<Option> other = modeOption(options).filter(option -> listed.isEmpty());
    return new OfferedSettings(
        other.map(Option::values).orElse(listed),
        other.map(Option::current).orElse(modes.text("currentModeId")),
        options);
  }

  private static List<Option> options(List<RawJson> options) {
    return options.stream().map(Option::of).filter(option -> !option.id().isEmpty()).toList();
  }

  private static Value value(Members whole, String id) {
    return new Value(whole.text(id), whole.text("name"));
  }

  /** Whether an option sets the mode: by its category, its id, or as its values are modes. */
  boolean setsMode(String id) {
    Set<String> ids = modes.stream().map(Value::id).collect(Collectors.toSet());
    return id.equalsIgnoreCase(MODE)
        || option(id)
            .filter(
                option ->
                    option.category().equals(MODE)
                        || (!option.values().isEmpty()
                            && option.values().stream().map(Value::id).allMatch(ids::contains)))
            .isPresent();
  }

  private static Optional<Option> modeOption(List<Option> options) {
    return options.stream().filter(option -> option.category().equals(MODE)).findFirst();
  }

  /** Returns the option that sets the mode, where the agent has one. */
  Optional<Option> modeOption() {
    return modeOption(options);
  }

  Optional<Option> option(String id) {
    return options.stream().filter(option -> option.id().equals(id)).findFirst();
  }

  Stream<String> optionIds() {
    return options.stream().map(Option::id);
  }

  /** Returns the same modes with what the agent answers once an option is set. */
  OfferedSettings withOptions(RawJson answered) {
    List<Option> now = options(Members.listed(answered));
    return now.isEmpty() ? this : new OfferedSettings(modes, mode, now);
  }
}
