package dev.bridle.proof.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.sample.SampleKeys;
import dev.bridle.proof.sample.SampleTask;
import dev.bridle.proof.verify.Check;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** The receipt of a replayed segment: the same for the same source, wherever it is made. */
final class SegmentReceiptTest {
  private static final SampleTask TASK = SampleTask.completed();
  private static final Receipt SOURCE = SampleTask.signed(TASK.draft());

  @Test
  void itHasTheSameBytesInEachTimeZoneAndLocale() {
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    Set<String> made = new HashSet<>();
    try {
      for (String each : List.of("Pacific/Kiritimati", "America/St_Johns")) {
        for (String language : List.of("tr-TR", "ar-EG-u-nu-arab")) {
          TimeZone.setDefault(TimeZone.getTimeZone(each));
          Locale.setDefault(Locale.forLanguageTag(language));
          for (int i = 0; i < 10; i++) {
            made.add(new String(segment(TASK.lines()).unsigned().bytes(), UTF_8));
          }
        }
      }
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }

    assertThat(made).hasSize(1);
  }

  @Test
  void itSaysOfWhatItIsAndThatNothingWasDone() {
    Receipt receipt = segment(TASK.lines()).unsigned();

    JsonNode json = receipt.json();
    assertThat(receipt.subject().object()).isEqualTo("replay_segment");
    assertThat(receipt.issuer().id()).isEqualTo("bridle.replay");
    assertThat(json.at("/issuer/version").textValue()).isEqualTo(SegmentReceipt.PROFILE);
    assertThat(receipt.identifiers()).isEqualTo(SOURCE.identifiers());
    assertThat(receipt.issuedAt()).isEqualTo(SOURCE.issuedAt());
    assertThat(receipt.chain().previousReceiptHash()).contains(SOURCE.chain().receiptHash());
    assertThat(receipt.chain().merkleRoot()).isEmpty();
    assertThat(json.at("/lifecycle")).isEqualTo(SOURCE.json().at("/lifecycle"));
    assertThat(json.at("/final_artifacts")).isEqualTo(SOURCE.json().at("/final_artifacts"));
    assertThat(json.at("/replay_input/materials"))
        .isEqualTo(SOURCE.json().at("/replay_input/materials"));
    assertThat(json.at("/cost/total").intValue()).isZero();
    assertThat(json.at("/cost/currency")).isEqualTo(SOURCE.json().at("/cost/currency"));
    assertThat(json.at("/autonomy_budget/consumed")).allMatch(used -> used.intValue() == 0);
    assertThat(json.at("/side_effects")).hasSize(4).allMatch(JsonNode::isEmpty);
    assertThat(json.at("/metadata/bridle.replay/source_receipt_id").textValue())
        .isEqualTo(SOURCE.id());
  }

  @Test
  void unsignedItProvesNoOriginAndSignedItDoes() {
    SegmentReceipt segment = segment(TASK.lines());
    ReceiptVerifier verifier = new ReceiptVerifier(Trust.of(SampleKeys.set()));

    Verification unsigned = verifier.verify(segment.unsigned().bytes());
    Verification signed = verifier.verify(segment.signed(SampleKeys.CURRENT).bytes());

    assertThat(unsigned.failure().map(CheckResult::check)).contains(Check.SIGNATURE);
    assertThat(new ReceiptVerifier(Trust.none()).verify(segment.unsigned().bytes()).verdict())
        .isEqualTo(Verdict.CONSISTENT);
    assertThat(signed.verdict()).isEqualTo(Verdict.VALID);
    assertThat(lacking(signed)).as("it is no link of a chain").containsExactly(Check.LINK);
    assertThat(segment.signed(SampleKeys.CURRENT)).isEqualTo(segment.signed(SampleKeys.CURRENT));
  }

  @Test
  void whatIsErasedMakesAnotherSegment() {
    List<String> lines = new ArrayList<>(TASK.lines());
    lines.set(4, SampleTask.withheld(lines.get(4)));
    Receipt whole = segment(TASK.lines()).unsigned();
    Receipt erased = segment(lines).unsigned();
    lines.set(4, TASK.lines().get(4));
    lines.set(5, SampleTask.withheld(lines.get(5)));
    Receipt other = segment(lines).unsigned();

    assertThat(List.of(whole.id(), erased.id(), other.id())).doesNotHaveDuplicates();
    assertThat(erased.json().at("/metadata/bridle.replay/withheld/count").intValue()).isOne();
  }

  @Test
  void anotherSourceMakesAnotherSegment() {
    ObjectNode draft = TASK.draft();
    draft.put("receipt_id", "receipt_other");

    Receipt other = replayed(SampleTask.signed(draft), TASK.lines()).unsigned();

    assertThat(other.id()).isNotEqualTo(segment(TASK.lines()).unsigned().id());
  }

  @Test
  void doubtsOfTheSourceStayWhereTheirMembersAreCopied() {
    ObjectNode draft = TASK.draft();
    draft
        .withObjectProperty("metadata")
        .putArray("bridle.not_reported")
        .add("/identifiers/trace_id")
        .add("/side_effects/a2a_handoffs");
    draft
        .putArray("redactions")
        .addObject()
        .put("field", "/lifecycle/failure/code")
        .put("reason", "x");
    draft.withArray("redactions").addObject().put("field", "/cost").put("reason", "x");

    JsonNode segment = replayed(SampleTask.signed(draft), TASK.lines()).unsigned().json();

    assertThat(segment.at("/metadata/bridle.not_reported"))
        .extracting(JsonNode::textValue)
        .containsExactly("/identifiers/trace_id");
    assertThat(segment.at("/redactions"))
        .extracting(each -> each.path("field").textValue())
        .containsExactly("/lifecycle/failure/code");
  }

  private static List<Check> lacking(Verification verification) {
    return verification.notChecked().stream().map(CheckResult::check).toList();
  }

  private static SegmentReceipt segment(List<String> lines) {
    return replayed(SOURCE, lines);
  }

  private static SegmentReceipt replayed(Receipt source, List<String> lines) {
    LogReplay replay = new LogReplay(source);
    lines.forEach(line -> replay.add(line.getBytes(UTF_8)));
    return replay.finish().segment().orElseThrow();
  }
}
