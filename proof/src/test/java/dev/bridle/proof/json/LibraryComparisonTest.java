package dev.bridle.proof.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.proof.sample.Respelling;
import dev.bridle.proof.sample.SampleValues;
import java.io.IOException;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.erdtman.jcs.NumberToJSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The writer gives the bytes that java-json-canonicalization gives, where that one is right. */
final class LibraryComparisonTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13})
  void documentsHaveTheBytesThatTheLibraryGivesThem(long seed) throws IOException {
    Random random = new Random(seed);
    SampleValues values = new SampleValues(random);
    for (int i = 0; i < 1000; i++) {
      JsonNode value = values.object(4);
      byte[] library = new JsonCanonicalizer(Respelling.of(value, random)).getEncodedUTF8();
      byte[] ours = CanonicalJson.bytes(value);

      if (!hasSubnormal(value)) {
        assertThat(new String(ours, UTF_8)).isEqualTo(new String(library, UTF_8));
      }
    }
  }

  /** The library differs from ECMAScript in a few of them. */
  private static boolean hasSubnormal(JsonNode value) {
    if (value.isDouble()) {
      return value.doubleValue() != 0 && Math.abs(value.doubleValue()) < Double.MIN_NORMAL;
    }
    for (JsonNode below : value) {
      if (hasSubnormal(below)) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {21, 22})
  void whatIsWrittenIsReadAndWrittenAgainAsTheSame(long seed) {
    Random random = new Random(seed);
    SampleValues values = new SampleValues(random);
    for (int i = 0; i < 1000; i++) {
      JsonNode value = values.object(4);
      byte[] canonical = CanonicalJson.bytes(value);
      String respelled = Respelling.of(value, random);

      assertThat(CanonicalJson.bytes(StrictJson.parse(canonical))).isEqualTo(canonical);
      assertThat(CanonicalJson.bytes(StrictJson.parse(respelled.getBytes(UTF_8))))
          .as(respelled)
          .isEqualTo(canonical);
    }
  }

  @Test
  void normalNumbersHaveTheTextThatTheLibraryGivesThem() throws IOException {
    Random random = new Random(31);
    for (int i = 0; i < 50_000; i++) {
      double number = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(number) && Math.abs(number) >= Double.MIN_NORMAL) {
        assertThat(EcmaNumber.toString(number)).isEqualTo(NumberToJSON.serializeNumber(number));
      }
    }
  }
}
