package dev.bridle.proof.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes checks of the keywords of JSON Schema 2020-12 that the receipt's schema uses. A keyword
 * that is not known here fails, so that nothing of the document is left unchecked.
 */
final class SchemaCompiler {
  private static final String DEFINITION = "#/$defs/";

  /** Keywords that say something about a schema, and check nothing. */
  private static final Set<String> ANNOTATIONS =
      Set.of("$schema", "$id", "$defs", "title", "description", "default");

  /** Read together with {@code properties}. */
  private static final Set<String> OF_OBJECTS = Set.of("required", "additionalProperties");

  private final JsonNode document;
  private final Map<String, Rule> definitions = new HashMap<>();

  SchemaCompiler(JsonNode document) {
    this.document = document;
    for (String name : names(document.path("$defs"))) {
      definitions.put(name, compile(document.at("/$defs/" + name)));
    }
  }

  Rule root() {
    return compile(document);
  }

  Rule definition(String name) {
    Rule rule = definitions.get(name);
    if (rule == null) {
      throw new IllegalArgumentException(
          "The schema has no definition `" + name + "`. It has " + definitions.keySet() + ".");
    }
    return rule;
  }

  private Rule compile(JsonNode schema) {
    List<Rule> rules = new ArrayList<>();
    // A type that is wrong is the first thing to report.
    if (schema.has("type")) {
      rules.add(Keywords.type(texts(schema.get("type"))));
    }
    if (schema.has("properties") || schema.has("required") || schema.has("additionalProperties")) {
      rules.add(objectRule(schema));
    }
    for (String keyword : names(schema)) {
      JsonNode argument = schema.get(keyword);
      switch (keyword) {
        case "$ref" -> rules.add(reference(argument.textValue()));
        case "const" -> rules.add(Keywords.oneOf(Set.of(argument.textValue())));
        case "enum" -> rules.add(Keywords.oneOf(texts(argument)));
        case "pattern" -> rules.add(Keywords.pattern(argument.textValue()));
        case "minLength" -> rules.add(Keywords.minLength(argument.intValue()));
        case "minimum" -> rules.add(Keywords.minimum(argument.doubleValue()));
        case "format" -> rules.add(Keywords.format(argument.textValue()));
        case "items" -> rules.add(Keywords.items(compile(argument)));
        case "anyOf" -> rules.add(anyOf(argument));
        case "type", "properties" -> {}
        default -> {
          if (!ANNOTATIONS.contains(keyword) && !OF_OBJECTS.contains(keyword)) {
            throw new IllegalArgumentException("The keyword `" + keyword + "` is not supported.");
          }
        }
      }
    }
    return rules.size() == 1 ? rules.get(0) : Keywords.all(rules);
  }

  private Rule objectRule(JsonNode schema) {
    Map<String, Rule> members = new HashMap<>();
    for (String name : names(schema.path("properties"))) {
      members.put(name, compile(schema.get("properties").get(name)));
    }
    boolean open = schema.path("additionalProperties").asBoolean(true);
    return new ObjectRule(members, List.copyOf(texts(schema.path("required"))), open);
  }

  private Rule anyOf(JsonNode schemas) {
    List<Rule> rules = new ArrayList<>();
    schemas.forEach(schema -> rules.add(compile(schema)));
    return (value, trail) ->
        rules.stream().anyMatch(rule -> rule.meets(value, new Trail()))
            || trail.expected("expected one of the alternatives of `anyOf`: " + schemas);
  }

  /** Definitions may refer to later ones, so they are looked up when they are used first. */
  private Rule reference(String reference) {
    String name = reference.substring(DEFINITION.length());
    if (!reference.startsWith(DEFINITION) || !document.path("$defs").has(name)) {
      throw new IllegalArgumentException("The reference `" + reference + "` is not supported.");
    }
    return (value, trail) -> definition(name).meets(value, trail);
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new HashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Returns one text or an array of them. */
  private static Set<String> texts(JsonNode argument) {
    Set<String> texts = new LinkedHashSet<>();
    if (argument.isTextual()) {
      texts.add(argument.textValue());
    }
    argument.forEach(text -> texts.add(text.textValue()));
    return texts;
  }
}
