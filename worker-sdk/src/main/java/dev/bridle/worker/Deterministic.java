package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;

/** What is the same in every run of a task, on every machine. */
final class Deterministic {
  private Deterministic() {}

  /** Returns what a step that can't fail has recorded. */
  static JsonNode recorded(TaskContext task, String stepKey, Callable<JsonNode> compute) {
    try {
      return task.step(stepKey, compute);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a value that is at hand was not recorded", e);
    }
  }

  static Random random(String task, String label) {
    return new Random(hash("random", task, label).getLong());
  }

  static String id(String task, String label) {
    ByteBuffer hash = hash("id", task, label);
    long high = (hash.getLong() & ~0xF000L) | 0x8000L; // version 8
    long low = (hash.getLong() & ~(3L << 62)) | (2L << 62); // variant of RFC 9562
    return new UUID(high, low).toString();
  }

  private static ByteBuffer hash(String use, String task, String label) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String one : new String[] {use, task, label}) {
        byte[] bytes = one.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
      }
      return ByteBuffer.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
