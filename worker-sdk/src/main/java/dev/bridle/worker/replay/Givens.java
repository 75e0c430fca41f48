package dev.bridle.worker.replay;

import dev.bridle.task.v1.TaskInput;
import dev.bridle.worker.Decision;
import dev.bridle.worker.HostResult;
import dev.bridle.worker.SaidMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a handler gets from outside, by step key, name or id.
 *
 * @param input the task's input
 * @param answers what a user answers to questions, by step key
 * @param decisions what people decide, by step key
 * @param tools what a client's tools give, by step key
 * @param secrets the values of secrets, by name
 * @param artifacts the content of artifacts, by id
 * @param transcript what was said in the session before, oldest first
 */
record Givens(
    TaskInput input,
    Map<String, String> answers,
    Map<String, Decision> decisions,
    Map<String, HostResult> tools,
    Map<String, String> secrets,
    Map<String, byte[]> artifacts,
    List<SaidMessage> transcript) {
  Givens {
    answers = Map.copyOf(answers);
    decisions = Map.copyOf(decisions);
    tools = Map.copyOf(tools);
    secrets = Map.copyOf(secrets);
    artifacts = Map.copyOf(artifacts);
    transcript = List.copyOf(transcript);
  }

  static Givens none() {
    return new Givens(
        TaskInput.getDefaultInstance(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        List.of());
  }

  Givens withInput(TaskInput given) {
    return new Givens(given, answers, decisions, tools, secrets, artifacts, transcript);
  }

  Givens withAnswer(String key, String text) {
    return new Givens(
        input, with(answers, key, text), decisions, tools, secrets, artifacts, transcript);
  }

  Givens withDecision(String key, Decision decision) {
    return new Givens(
        input, answers, with(decisions, key, decision), tools, secrets, artifacts, transcript);
  }

  Givens withTool(String key, HostResult result) {
    return new Givens(
        input, answers, decisions, with(tools, key, result), secrets, artifacts, transcript);
  }

  Givens withSecret(String name, String value) {
    return new Givens(
        input, answers, decisions, tools, with(secrets, name, value), artifacts, transcript);
  }

  Givens withArtifact(String id, byte[] content) {
    return new Givens(
        input, answers, decisions, tools, secrets, with(artifacts, id, content), transcript);
  }

  Givens withTranscript(List<SaidMessage> said) {
    return new Givens(input, answers, decisions, tools, secrets, artifacts, said);
  }

  private static <V> Map<String, V> with(Map<String, V> map, String key, V value) {
    Map<String, V> more = new HashMap<>(map);
    more.put(key, value);
    return more;
  }

  /** Returns what is given, or says what the test forgot. */
  static <V> V need(Map<String, V> given, String key, String what, String method) {
    V value = given.get(key);
    if (value == null) {
      throw new NotGiven(
          "The handler wants " + what + " `" + key + "`; give it by ReplayKit." + method + ".");
    }
    return value;
  }

  /** Without the values of secrets and contents. */
  @Override
  public String toString() {
    return "Givens[answers=" + answers.keySet() + ", secrets=" + secrets.keySet() + "]";
  }
}
