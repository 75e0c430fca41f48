package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.StreamSupport;

/** An interface by which agents reach a model. */
interface ModelDialect {
  /**
   * A request to a model.
   *
   * @param path the path of its address, without a query
   * @param body what was sent
   */
  record Request(String path, JsonNode body) {}

  /**
   * What a model answers.
   *
   * @param type the media type
   * @param body the whole text, also of a stream of events
   */
  record Answer(String type, String body) {
    /** Answers with one JSON value. */
    static Answer json(JsonNode value) {
      return new Answer("application/json", value.toString());
    }

    /** Answers with events of a stream. */
    static Answer events(String body) {
      return new Answer("text/event-stream", body);
    }
  }

  /** Returns whether requests to a path are prompts of this dialect. */
  boolean serves(String path);

  /** Returns the names of the tools that the agent offers. */
  List<String> tools(JsonNode body);

  /** Returns whether the last thing that was said is a prompt, and no result of a tool. */
  boolean isPrompted(JsonNode body);

  /**
   * Answers with a call of a tool.
   *
   * @param number a number of this call, which no other has
   */
  Answer call(Request request, int number, ToolUse use);

  /** Answers with a text. */
  Answer say(Request request, String words);

  /** Returns an empty object. */
  static ObjectNode object() {
    return new ObjectMapper().createObjectNode();
  }

  /** Returns the texts at a place in each value of a list; empty where there is none. */
  static List<String> texts(JsonNode list, String pointer) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(each -> each.at(pointer).asText())
        .toList();
  }

  /** Returns the last value of a list. */
  static JsonNode last(JsonNode list) {
    return list.path(list.size() - 1);
  }
}
