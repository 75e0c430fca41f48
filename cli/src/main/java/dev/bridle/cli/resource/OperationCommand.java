package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.contract.Comments;
import dev.bridle.cli.contract.Contract;
import dev.bridle.cli.contract.Contract.Operation;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** A command that calls one operation. */
final class OperationCommand implements Runnable {
  private static final String SET = "--set";
  private static final int MOST_COLUMNS = 4;
  private static final Set<Syntax> COLUMNS =
      Set.of(Syntax.TEXT, Syntax.CHOICE, Syntax.INTEGER, Syntax.NUMBER, Syntax.FLAG);

  @Mixin private final ServerChoice server = new ServerChoice();
  private final CommandSpec spec;
  private final Shown shown = new Shown();
  private final Overrides overrides;
  private final String command;
  private final Operation operation;
  private final Column[] columns;
  private final Map<String, PositionalParamSpec> ids = new LinkedHashMap<>();
  private final List<MemberOption> options;

  /**
   * Creates a command.
   *
   * @param noun the name of the resource that the command belongs to
   * @param command the name of the command without the resource
   */
  OperationCommand(Overrides overrides, String noun, String command, Operation operation) {
    this.overrides = overrides;
    this.command = command;
    this.operation = operation;
    this.columns = overrides.columns(command).orElseGet(() -> columns(operation.response()));
    this.options = OptionReader.read(overrides, noun, command, operation);
    this.spec = CommandSpec.forAnnotatedObject(this);
    addParameters(noun);
    options.forEach(option -> spec.addOption(option.spec()));
    overrides.extra(command).ifPresent(spec::addOption);
    if (operation.isList()) {
      spec.addOption(limit());
    } else if (operation.isUpdate() || command.endsWith("create")) {
      spec.addOption(members());
    }
    if (!operation.verb().equals("DELETE")) {
      spec.addMixin("shown", CommandSpec.forAnnotatedObject(shown));
    }
    new CommandHelp(overrides, noun, command).describe(spec, operation.collection(), options);
  }

  CommandLine line() {
    return new CommandLine(spec).setHelpFactory(this::help);
  }

  /** Returns the columns of a response, or of its rows: the first required members of one word. */
  private static Column[] columns(Descriptor response) {
    FieldDescriptor rows = response.findFieldByName("data");
    Descriptor shown = rows == null ? response : rows.getMessageType();
    return Column.of(
        Contract.members(shown).stream()
            .filter(field -> Contract.isRequired(field) && !field.isRepeated())
            .filter(field -> COLUMNS.contains(Syntax.of(field)) && !field.getName().equals("id"))
            .map(FieldDescriptor::getName)
            .limit(MOST_COLUMNS)
            .toArray(String[]::new));
  }

  private void addParameters(String noun) {
    for (FieldDescriptor field : operation.request().getFields()) {
      if (operation.hasInPath(field)) {
        PositionalParamSpec id =
            CommandHelp.parameter(field.getName(), noun)
                .index(String.valueOf(ids.size()))
                .arity("1")
                .required(true)
                .type(String.class)
                .build();
        ids.put(field.getName(), id);
        spec.addPositional(id);
      }
    }
  }

  /** Returns the help of the command, with the comments of its members. */
  private Help help(CommandSpec ownSpec, Help.ColorScheme colors) {
    Comments comments = Comments.load();
    List<OptionSpec> all = new ArrayList<>(ownSpec.options());
    all.forEach(ownSpec::remove);
    Map<OptionSpec, OptionSpec> described = new HashMap<>();
    options.forEach(option -> described.put(option.spec(), option.described(comments)));
    all.forEach(option -> ownSpec.addOption(described.getOrDefault(option, option)));
    return new Help(ownSpec, colors);
  }

  private OptionSpec limit() {
    JsonNode most = overrides.defaults(command).getOrDefault("limit", IntNode.valueOf(50));
    return OptionSpec.builder("--limit")
        .paramLabel("N")
        .type(int.class)
        .defaultValue(most.asText())
        .description("The maximum number of results (default: ${DEFAULT-VALUE}).")
        .build();
  }

  private static OptionSpec members() {
    ITypeConverter<JsonNode> converter = text -> Syntax.OBJECT.parse(text, List.of());
    return OptionSpec.builder(SET)
        .paramLabel("JSON")
        .type(JsonNode.class)
        .converters(converter)
        .description("Additional members, as a JSON object.")
        .build();
  }

  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    PrintWriter out = line.getOut();
    RestClient client = server.connect();
    switch (operation.verb()) {
      case "GET" -> {
        if (operation.isList()) {
          int limit = spec.findOption("--limit").getValue();
          shown.all(client, path() + query(), limit, out, columns);
        } else {
          shown.one(client.get(path()), out, columns);
        }
      }
      case "DELETE" -> {
        client.delete(path(), UUID.randomUUID().toString());
        out.println(deleted() + " is deleted.");
      }
      default -> {
        JsonNode answer =
            client.change(operation.verb(), path(), body(line), UUID.randomUUID().toString());
        shown.one(answer, out, columns);
      }
    }
  }

  private String path() {
    String path = operation.path();
    for (Map.Entry<String, PositionalParamSpec> id : ids.entrySet()) {
      path = path.replace("{" + id.getKey() + "}", RestClient.escape(id.getValue().getValue()));
    }
    return path;
  }

  private String query() {
    ObjectNode filters = JsonLines.object();
    options.forEach(option -> option.into(filters));
    overrides.check(command).ifPresent(check -> check.apply(spec.commandLine(), filters));
    List<String> query = new ArrayList<>();
    filters
        .properties()
        .forEach(
            each -> query.add(each.getKey() + "=" + RestClient.escape(each.getValue().asText())));
    return query.isEmpty() ? "" : "?" + String.join("&", query);
  }

  private ObjectNode body(CommandLine line) {
    Optional<OptionSpec> members = Optional.ofNullable(spec.findOption(SET));
    ObjectNode body = members.<ObjectNode>map(OptionSpec::getValue).orElseGet(JsonLines::object);
    options.forEach(option -> option.into(body));
    if (operation.isUpdate() && body.isEmpty()) {
      throw new ParameterException(line, "Expected at least one option for a member, or --set.");
    }
    overrides.check(command).ifPresent(check -> check.apply(line, body));
    overrides.defaults(command).forEach((member, value) -> addDefault(body, member, value));
    return body;
  }

  private static void addDefault(ObjectNode body, String member, JsonNode value) {
    if (body.at("/" + member.replace('.', '/')).isMissingNode()) {
      MemberOption.put(body, member, value);
    }
  }

  /** Returns the name of what the command deletes. */
  private String deleted() {
    Map.Entry<String, PositionalParamSpec> last = List.copyOf(ids.entrySet()).get(ids.size() - 1);
    String value = last.getValue().getValue();
    if (last.getKey().endsWith("_id")) {
      return value;
    }
    return Words.capitalized(command.substring(0, command.lastIndexOf(' '))) + " " + value;
  }
}
