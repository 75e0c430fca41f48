package dev.bridle.worker.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * The stand-in for a model: answers with the words of the prompt from the last to the first. Its
 * answer is recorded as a model's is, so that a replay uses the record, or what replaces it.
 */
final class DemoModel {
  private static final String STEP = "llm:demo:1";

  private DemoModel() {}

  static String answer(TaskContext task, String prompt) throws TaskFailure {
    JsonNode answer = step(task, prompt);
    if (!answer.isTextual()) {
      throw new TaskFailure("bad_answer", "The model's answer is no text.");
    }
    return answer.textValue();
  }

  private static JsonNode step(TaskContext task, String prompt) {
    try {
      return task.step(STEP, hash(prompt), () -> TextNode.valueOf(backwards(prompt)));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String backwards(String prompt) {
    List<String> words = Arrays.asList(prompt.strip().split("\\s+"));
    Collections.reverse(words);
    return String.join(" ", words);
  }

  private static String hash(String prompt) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(prompt.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }
}
