package dev.bridle.proof.receipt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.receipt.InvalidReceiptException.Reason;
import dev.bridle.proof.sample.Draft;
import dev.bridle.proof.sample.SampleKeys;
import dev.bridle.proof.sample.SampleSession;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ReceiptTest {
  private final Draft draft = SampleSession.plain("session_1", new Random(1)).draft();

  @Test
  void partsAreReadFromTheirMembers() {
    Receipt receipt = Receipt.parse(draft.signed().getBytes(UTF_8));

    assertThat(receipt.id()).isEqualTo("receipt_00000");
    assertThat(receipt.subject()).isEqualTo(new ResourceRef("task", "task_00000"));
    assertThat(receipt.issuer())
        .isEqualTo(new Issuer("installation_1", "harness", Optional.of(SampleKeys.CURRENT.id())));
    assertThat(receipt.identifiers().sessionId()).isEqualTo("session_1");
    assertThat(receipt.identifiers().taskId()).isEqualTo("task_00000");
    assertThat(receipt.identifiers().tenantId()).contains("default");
    assertThat(receipt.finalState()).isIn("SUCCEEDED", "FAILED", "CANCELED");
    assertThat(receipt.issuedAt()).startsWith("2026-");
    assertThat(receipt).hasToString("Receipt[receipt_00000]");
  }

  @Test
  void membersThatAreNotKnownAreKept() {
    String text =
        draft.signedAfter(one -> one.withObject("/metadata/x").put("y", 0.1).putNull("z"));
    Receipt receipt = Receipt.parse(text.getBytes(UTF_8));

    assertThat(new String(receipt.bytes(), UTF_8)).isEqualTo(text);
    assertThat(receipt.metadata("x")).isPresent();
    assertThat(receipt.metadata("none")).isEmpty();
  }

  @Test
  void whatIsHandedOutCannotChangeIt() {
    byte[] bytes = draft.signed().getBytes(UTF_8);
    Receipt receipt = Receipt.parse(bytes);
    receipt.json().put("receipt_id", "other");
    ((ObjectNode) receipt.metadata("bridle.chain").orElseThrow()).put("index", 9);

    assertThat(receipt.bytes()).isEqualTo(bytes);
    assertThat(receipt).isEqualTo(Receipt.parse(bytes));
  }

  @Test
  void anExceptionNamesWhatTheBytesAreNot() {
    assertThatThrownBy(() -> Receipt.parse("{".getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            InvalidReceiptException.class, e -> assertThat(e.reason()).isEqualTo(Reason.JSON));
    assertThatThrownBy(() -> Receipt.parse("{}".getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            InvalidReceiptException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SCHEMA))
        .hasMessageContaining("`schema`");
  }

  /** A member whose value has the text of a hash is no place for the real one. */
  @Test
  void hashAndSignaturesAreInsertedAtTheirPlaces() {
    String text =
        draft.signedAfter(
            one ->
                one.withObject("/metadata")
                    .put("receipt_hash", "a")
                    .put("signatures", "b")
                    .put("previous_receipt_hash", "c"));

    assertThat(CanonicalJson.bytes(StrictJson.parse(text.getBytes(UTF_8))))
        .isEqualTo(text.getBytes(UTF_8));
  }
}
