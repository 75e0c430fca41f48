package dev.bridle.gateway;

import dev.bridle.fixtures.client.RawSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Frames at random: good ones, good ones with a fault, and plain noise. */
final class RandomFrames {

  private static final List<String> SEEDS =
      List.of(
          "{\"type\":\"ping\",\"id\":\"p\"}",
          "{\"type\":\"resume\",\"id\":\"r\",\"last_event_id\":\"e1\"}",
          "{\"type\":\"session.message\",\"id\":\"c\",\"idempotency_key\":\"k\",\"body\":"
              + "{\"message\":{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hi\","
              + "\"visibility\":\"public\"}]}}}",
          "{\"type\":\"task.cancel\",\"task_id\":\"t\",\"body\":{\"reason\":null}}",
          "{\"type\":\"task.message\",\"task_id\":\"t\",\"body\":{\"kind\":\"input\","
              + "\"message\":{\"role\":\"user\",\"parts\":[]}}}",
          "{\"type\":\"session.truncate\",\"session_id\":\"s\",\"body\":{\"keep_first\":1}}",
          "{\"type\":\"permission.respond\",\"request_id\":\"p\",\"body\":{\"approved\":true}}",
          "[[[[",
          "null",
          "\"\\ud800\"",
          "{\"type\":\"ping\",\"id\":\"\\u0000\"}");
  private static final int[] OPCODES = {0, 1, 1, 1, 1, 1, 1, 2, 9, 10, 3};

  private RandomFrames() {}

  static byte[] next(Random random) {
    byte[] payload = payload(random);
    int opcode = OPCODES[random.nextInt(OPCODES.length)];
    if (opcode >= 8 && payload.length > 125) {
      payload = new byte[125];
    }
    int first = (random.nextInt(12) == 0 ? 0 : RawSocket.LAST) | opcode;
    byte[] frame = RawSocket.bytes(first, payload);
    if (random.nextInt(30) == 0) {
      frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return frame;
  }

  private static byte[] payload(Random random) {
    byte[] payload = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8);
    switch (random.nextInt(5)) {
      case 0 -> payload[random.nextInt(payload.length)] = (byte) random.nextInt(128);
      case 1 -> payload = Arrays.copyOf(payload, random.nextInt(payload.length));
      case 2 -> {
        if (random.nextInt(4) == 0) {
          random.nextBytes(payload);
        }
      }
      default -> {}
    }
    return payload;
  }
}
