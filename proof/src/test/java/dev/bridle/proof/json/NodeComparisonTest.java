package dev.bridle.proof.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.proof.sample.Respelling;
import dev.bridle.proof.sample.Runtimes;
import dev.bridle.proof.sample.SampleValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RFC 8785 is defined by ECMAScript, so Node decides where writers differ. */
final class NodeComparisonTest {
  @TempDir private Path directory;

  @Test
  void documentsHaveTheFormThatNodeGivesThem() throws Exception {
    Random random = new Random(1);
    SampleValues values = new SampleValues(random);
    List<String> written = new ArrayList<>();
    List<String> ours = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      JsonNode value = values.object(4);
      written.add(Respelling.of(value, random));
      ours.add(new String(CanonicalJson.bytes(value), UTF_8));
    }

    assertThat(node("--documents", written)).isEqualTo(ours);
  }

  @Test
  void numbersHaveTheFormThatNodeGivesThem() throws Exception {
    compareNumbers(2, 20_000);
  }

  @Tag("slow")
  @Test
  void aMillionNumbersHaveTheFormThatNodeGivesThem() throws Exception {
    compareNumbers(3, 1_000_000);
  }

  private void compareNumbers(long seed, int count) throws Exception {
    Random random = new Random(seed);
    List<Double> numbers = new ArrayList<>();
    for (int i = 1; i < 2000; i++) {
      numbers.add(i * Double.MIN_VALUE);
    }
    while (numbers.size() < count) {
      double any = Double.longBitsToDouble(random.nextLong());
      double subnormal = Double.longBitsToDouble(random.nextLong() >>> (12 + random.nextInt(52)));
      double integer = random.nextLong() >> random.nextInt(64);
      double decimal = random.nextInt(100_000_000) / Math.pow(10, random.nextInt(20));
      for (double one : new double[] {any, subnormal, integer, decimal, -decimal}) {
        if (Double.isFinite(one)) {
          numbers.add(one);
        }
      }
    }

    List<String> bits =
        numbers.stream().map(one -> Long.toHexString(Double.doubleToRawLongBits(one))).toList();
    assertThat(node("--numbers", bits))
        .isEqualTo(numbers.stream().map(EcmaNumber::toString).collect(Collectors.toList()));
  }

  private List<String> node(String mode, List<String> lines) throws Exception {
    Runtimes.require("node");
    Path script = Path.of(NodeComparisonTest.class.getResource("canonicalize.mjs").toURI());
    Path file = directory.resolve("lines");
    Files.writeString(file, lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    Runtimes.Result result =
        Runtimes.run(List.of("node", script.toString(), mode, file.toString()));
    assertThat(result.code()).isZero();
    return result.lines();
  }
}
