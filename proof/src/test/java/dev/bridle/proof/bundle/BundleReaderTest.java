package dev.bridle.proof.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.proof.bundle.BundleLine.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BundleReaderTest {
  @Test
  void eachLineIsReadWithItsNumberAndBlankOnesAreLeftOut() throws IOException {
    List<BundleLine> lines = read("{\"receipt_id\":\"a\"}\r\n\n \t\r\n{\"receipt_id\":\"b\"}");

    assertThat(lines).extracting(BundleLine::number).containsExactly(1L, 4L);
    assertThat(lines)
        .extracting(BundleReaderTest::content)
        .containsExactly("{\"receipt_id\":\"a\"}\r", "{\"receipt_id\":\"b\"}");
  }

  @Test
  void anEmptyStreamHasNoLines() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("\n\n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'receipt','receipt':{'a':[1, {'b':2}]}} | {'a':[1, {'b':2}]}",
        "{'receipt':{ },'type':'receipt'} | { }",
        "{'receipt':{'a':'}'},'\\u0074ype':'receipt'} | {'a':'}'}",
        "{'receipt':{'a':1.50e1,'a':2},'type':'receipt'} | {'a':1.50e1,'a':2}",
        "{'id':'r','wire':{'payload':{'a':'ä😀'},'x':[]},'z':{}} | {'a':'ä😀'}",
      })
  void aReceiptIsCutOutAsItIsWritten(String line, String receipt) throws IOException {
    BundleLine read = single(json(line));

    assertThat(read.kind()).isEqualTo(Kind.RECEIPT);
    assertThat(content(read)).isEqualTo(json(receipt));
  }

  @Test
  void aLargeReceiptIsCutOutAsItIsWritten() throws IOException {
    String receipt = json("{'a':'" + "ä😀\\u00e4".repeat(50_000) + "'}");

    assertThat(content(single(json("{'type':'receipt','receipt':") + receipt + "}")))
        .isEqualTo(receipt);
    assertThat(content(single(json("{'x':'😀','wire':{'y':'ä','payload':") + receipt + "}}")))
        .isEqualTo(receipt);
  }

  /** Their verifier names what is wrong with them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'receipt_id':'a','type':'receipt','receipt':{}}",
        "{'receipt_id':'a','wire':{'payload':{}}}",
        "{'receipt_id':'a','receipt_id':'b'}",
        "{}",
        "null",
        "[{'type':'receipt','receipt':{}}]",
        "{'type':'receipt','receipt':{}",
        "{'type':'receipt','receipt':{}} {}",
        "{'type':'receipt','receipt':{}} x",
        "no JSON",
      })
  void whatIsNoEnvelopeCountsAsAReceipt(String line) throws IOException {
    BundleLine read = single(json(line));

    assertThat(read.kind()).isEqualTo(Kind.RECEIPT);
    assertThat(content(read)).isEqualTo(json(line));
  }

  @Test
  void bytesThatAreNotUtf8CountAsAReceipt() throws IOException {
    byte[] line = {'{', '"', (byte) 0xff, '"', ':', '1', '}'};

    BundleLine read = new BundleReader(new ByteArrayInputStream(line)).next().orElseThrow();

    assertThat(read.kind()).isEqualTo(Kind.RECEIPT);
    assertThat(read.content()).isEqualTo(line);
  }

  @Test
  void theOtherLinesOfABundleAreToldApart() throws IOException {
    List<BundleLine> lines =
        read(
            json(
                "{'type':'header','format':1}\n"
                    + "{'type':'key_set','key_set':{'keys':[]}}\n"
                    + "{'type':'evidence','evidence':{'a':1}}\n"
                    + "{'type':'artifact','artifact':{}}\n"
                    + "{'type':'revocation','revocation':{}}\n"
                    + "{'type':'event','event':{}}\n"
                    + "{'type':'checkpoint','checkpoint':{}}"));

    assertThat(lines)
        .extracting(BundleLine::kind)
        .containsExactly(
            Kind.HEADER,
            Kind.KEY_SET,
            Kind.EVIDENCE,
            Kind.ARTIFACT,
            Kind.REVOCATION,
            Kind.EVENT,
            Kind.OTHER);
    assertThat(content(lines.get(1))).isEqualTo(json("{'keys':[]}"));
    assertThat(content(lines.get(2))).isEqualTo(json("{'a':1}"));
    assertThat(lines.get(6).detail()).isEqualTo("checkpoint");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'receipt','receipt':{},'receipt':{'a':1}} | there twice",
        "{'type':'receipt','type':'header','receipt':{}} | there twice",
        "{'wire':{'payload':{},'payload':{}}} | `wire` is there twice",
        "{'type':'receipt','receipt':{},'wire':{'payload':{}}} | both `type` and `wire`",
        "{'type':'receipt','receipt':{},'x':1} | are not `type` and `receipt`",
        "{'type':'key_set','key_set':{},'keys':[]} | are not `type` and `key_set`",
        "{'type':'receipt'} | are not `type` and `receipt`",
        "{'type':'receipt','receipt':'a'} | `receipt` is no object",
        "{'type':'key_set','key_set':[]} | `key_set` is no object",
        "{'type':1} | `type` is no string",
        "{'wire':null} | `wire.payload` is no object",
        "{'wire':{'payload':null}} | `wire.payload` is no object",
      })
  void aLineInWhichReadersMaySeeDifferentReceiptsIsUnreadable(String line, String why)
      throws IOException {
    BundleLine read = single(json(line));

    assertThat(read.kind()).isEqualTo(Kind.UNREADABLE);
    assertThat(read.detail()).contains(why);
  }

  @Test
  void aLineThatIsTooLongIsLeftOutWithoutBeingKept() throws IOException {
    byte[] piece = new byte[1 << 20];
    Arrays.fill(piece, (byte) ' ');
    List<InputStream> pieces = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      pieces.add(new ByteArrayInputStream(piece));
    }
    pieces.add(stream("\n{}\n"));
    BundleReader reader =
        new BundleReader(new SequenceInputStream(Collections.enumeration(pieces)));

    BundleLine tooLong = reader.next().orElseThrow();
    assertThat(tooLong.kind()).isEqualTo(Kind.UNREADABLE);
    assertThat(tooLong.detail()).contains(Integer.toString(BundleReader.MAX_LINE_BYTES));
    BundleLine next = reader.next().orElseThrow();
    assertThat(next.number()).isEqualTo(2);
    assertThat(content(next)).isEqualTo("{}");
    assertThat(reader.next()).isEmpty();
  }

  @Test
  void aLineOfTheLargestSizeIsRead() throws IOException {
    String line = "{}" + " ".repeat(BundleReader.MAX_LINE_BYTES - 2);

    assertThat(read(line + "\n" + line)).extracting(BundleLine::kind).containsOnly(Kind.RECEIPT);
    assertThat(read(line + " \n{}"))
        .extracting(BundleLine::kind)
        .containsExactly(Kind.UNREADABLE, Kind.RECEIPT);
  }

  @Test
  void aDocumentMayHaveManyLines() throws IOException {
    BundleLine read =
        BundleReader.readDocument(stream(json("{\n  'type': 'receipt',\n  'receipt': {\n  }\n}")));

    assertThat(read.number()).isZero();
    assertThat(content(read)).isEqualTo("{\n  }");
  }

  @Test
  void aDocumentThatIsTooLongIsUnreadable() throws IOException {
    String document = " ".repeat(BundleReader.MAX_LINE_BYTES + 1);

    assertThat(BundleReader.readDocument(stream(document)).kind()).isEqualTo(Kind.UNREADABLE);
  }

  private static BundleLine single(String line) throws IOException {
    List<BundleLine> lines = read(line);
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }

  private static List<BundleLine> read(String text) throws IOException {
    List<BundleLine> lines = new ArrayList<>();
    try (BundleReader reader = new BundleReader(stream(text))) {
      Optional<BundleLine> line = reader.next();
      while (line.isPresent()) {
        lines.add(line.get());
        line = reader.next();
      }
    }
    return lines;
  }

  private static String content(BundleLine line) {
    return new String(line.content(), UTF_8);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  /** Returns JSON that is written with single quotes. */
  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
