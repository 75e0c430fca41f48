package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.contract.Comments;
import dev.bridle.cli.contract.Contract;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option that sets a member of a request.
 *
 * @param path the names of the member and of the objects around it, with dots in between
 */
record MemberOption(String path, FieldDescriptor field, Syntax syntax, OptionSpec spec) {

  /**
   * Creates an option.
   *
   * @param help the help text; empty for that of the field's comment
   */
  static MemberOption of(
      String name,
      String path,
      FieldDescriptor field,
      Syntax syntax,
      String help,
      boolean required) {
    List<String> choices = Contract.values(field);
    ITypeConverter<JsonNode> converter = text -> syntax.parse(text, choices);
    OptionSpec.Builder option =
        OptionSpec.builder(name)
            .paramLabel(label(field, syntax))
            .description(help)
            .required(required);
    if (syntax == Syntax.FLAG) {
      option.type(Boolean.class).negatable(true);
    } else if (field.isMapField()) {
      ITypeConverter<String> same = text -> text;
      option
          .type(Map.class)
          .auxiliaryTypes(String.class, JsonNode.class)
          .converters(same, converter);
    } else if (field.isRepeated() && syntax != Syntax.PARTS) {
      option.type(List.class).auxiliaryTypes(JsonNode.class).converters(converter);
    } else {
      option.type(JsonNode.class).converters(converter);
    }
    return new MemberOption(path, field, syntax, option.build());
  }

  private static String label(FieldDescriptor field, Syntax syntax) {
    if (field.isMapField()) {
      return "NAME=" + syntax.label();
    }
    boolean named = syntax == Syntax.TEXT && field.getName().matches(".*_ids?|url");
    if (named || syntax == Syntax.CHOICE) {
      return Words.label(field.isRepeated() ? Words.singular(field.getName()) : field.getName());
    }
    return syntax.label();
  }

  /** Returns whether the option sets this member, or a member of this object. */
  boolean isIn(String member) {
    return path.equals(member) || path.startsWith(member + ".");
  }

  /** Returns the option with its help text. */
  OptionSpec described(Comments comments) {
    if (!String.join("", spec.description()).isEmpty()) {
      return spec;
    }
    StringBuilder help = new StringBuilder(Words.plain(comments.of(field)));
    List<String> choices = Contract.values(field);
    if (!choices.isEmpty()) {
      help.append(" One of: ").append(String.join(", ", choices)).append('.');
    }
    if (field.isRepeated()) {
      help.append(" Can be repeated.");
    }
    return OptionSpec.builder(spec).description(help.toString().strip()).build();
  }

  /** Sets the member if the option is given. */
  void into(ObjectNode body) {
    Optional<Object> value = Optional.ofNullable(spec.getValue());
    if (syntax == Syntax.TEXT_FILE) {
      Optional<Path> file = value.map(given -> Path.of(((JsonNode) given).textValue()));
      String text = GivenText.of(file, path).replaceFirst("\\r?\\n\\z", "");
      put(body, path, TextNode.valueOf(text));
    } else {
      value.ifPresent(given -> put(body, path, given(given)));
    }
  }

  private JsonNode given(Object value) {
    return switch (syntax) {
      case WHOLE_FILE -> TextNode.valueOf(fileText(value));
      case OBJECT_FILE ->
          JsonLines.parse(fileText(value))
              .filter(JsonNode::isObject)
              .orElseThrow(
                  () ->
                      new CommandFailed(
                          ExitCodes.USAGE, "The " + path + " in the file is not a JSON object."));
      default -> json(value);
    };
  }

  private String fileText(Object name) {
    return GivenText.of(Optional.of(Path.of(((JsonNode) name).textValue())), path);
  }

  /** Sets a member, and creates the objects around it. */
  static void put(ObjectNode body, String path, JsonNode value) {
    int dot = path.lastIndexOf('.');
    ObjectNode owner =
        dot < 0 ? body : body.withObject("/" + path.substring(0, dot).replace('.', '/'));
    owner.set(path.substring(dot + 1), value);
  }

  private static JsonNode json(Object value) {
    if (value instanceof Boolean flag) {
      return BooleanNode.valueOf(flag);
    }
    if (value instanceof List<?> list) {
      ArrayNode array = JsonLines.object().putArray("values");
      list.forEach(each -> array.add((JsonNode) each));
      return array;
    }
    if (value instanceof Map<?, ?> map) {
      ObjectNode object = JsonLines.object();
      map.forEach((name, each) -> object.set((String) name, (JsonNode) each));
      return object;
    }
    return (JsonNode) value;
  }
}
