package dev.bridle.core.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class LogDigestTest {

  @Test
  void theRunningDigestIsThePlainHashOfTheLines() throws Exception {
    ByteString state = ByteString.EMPTY;
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      EventRecord event = event(i, "owner");
      state = LogDigest.append(state, event);
      lines.append(LogDigest.line(event));
    }

    assertThat(LogDigest.finish(state)).isEqualTo(sha256(lines.toString()));
    assertThat(LogDigest.finish(ByteString.EMPTY)).isEqualTo(sha256(""));
  }

  @Test
  void aLineIsCanonicalWhateverTheActorIsCalled() {
    assertThat(LogDigest.line(event(3, "a\"b\\c\n\u001fé")))
        .isEqualTo(
            "{\"actor\":\"a\\\"b\\\\c\\n\\u001fé\","
                + "\"commitment\":\"sha256:0102ff\","
                + "\"created_at\":\"1970-01-01T00:00:01.005Z\","
                + "\"event\":\"task.started\",\"sequence\":3}\n");
  }

  @Test
  void everyTimeIsWrittenAsTheFormatterOfTimesWritesIt() {
    DateTimeFormatter millis =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    long[] times = {
      0,
      1,
      999,
      86_399_999,
      86_400_000,
      951_782_400_000L,
      1_795_395_621_007L,
      -1,
      -86_400_001,
      253_402_300_799_999L,
      253_402_300_800_000L
    };
    for (long time : times) {
      assertThat(LogDigest.line(event(1, "a").toBuilder().setCreatedAt(time).build()))
          .contains("\"created_at\":\"" + millis.format(Instant.ofEpochMilli(time)) + "\"");
    }
  }

  @Test
  void aCommitmentIsTheHashOfSaltAZeroByteAndThePayload() throws Exception {
    byte[] salt = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);
    ByteString payload = ByteString.copyFromUtf8("{\"a\":1}");

    assertThat(Commitment.of(salt, payload).toByteArray())
        .isEqualTo(sha256("0123456789abcdef\0{\"a\":1}"));
  }

  private static EventRecord event(long sequence, String actor) {
    return EventRecord.newBuilder()
        .setEvent("task.started")
        .setActor(actor)
        .setCreatedAt(1005)
        .setSequence(sequence)
        .setCommitment(ByteString.copyFrom(new byte[] {1, 2, (byte) 0xff}))
        .build();
  }

  private static byte[] sha256(String text) throws Exception {
    return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
  }
}
