package dev.bridle.proof.receipt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.sample.SampleKeys;
import dev.bridle.proof.sample.SampleReceipts;
import dev.bridle.proof.tree.MerklePeaks;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ReceiptSignerTest {
  private final ReceiptSigner signer = new ReceiptSigner(SampleKeys.CURRENT);
  private final ObjectNode receipt = SampleReceipts.rich(new Random(5)).task("session_1");

  ReceiptSignerTest() {
    ChainHead.EMPTY.link(receipt, 4);
  }

  @Test
  void theBytesAreTheCanonicalFormOfTheWholeReceipt() {
    byte[] bytes = signer.sign(receipt).bytes();

    assertThat(bytes).isEqualTo(CanonicalJson.bytes(StrictJson.parse(bytes)));
    assertThat(Receipt.parse(bytes).bytes()).isEqualTo(bytes);
  }

  @Test
  void theHashIsOverAllButItselfAndTheSignatures() {
    SignedReceipt signed = signer.sign(receipt);
    ObjectNode content = (ObjectNode) StrictJson.parse(signed.bytes());
    content.remove("signatures");
    JsonNode stated = content.withObject("/chain").remove("receipt_hash");

    assertThat(signed.hash()).isEqualTo(Sha256.of(CanonicalJson.bytes(content)));
    assertThat(stated.textValue()).isEqualTo(signed.hash().toString());
    assertThat(Receipt.parse(signed.bytes()).contentHash()).isEqualTo(signed.hash());
  }

  @Test
  void theSignatureIsOverTheTextOfTheHash() {
    Receipt signed = Receipt.parse(signer.sign(receipt).bytes());
    ReceiptSignature signature = signed.signatures().get(0);
    byte[] text = signed.chain().receiptHash().toString().getBytes(US_ASCII);

    assertThat(signed.signatures()).hasSize(1);
    assertThat(text).hasSize(71);
    assertThat(signature.keyId()).isEqualTo(SampleKeys.CURRENT.id());
    assertThat(signature.algorithm()).isEqualTo("Ed25519");
    assertThat(signature.signedAt()).contains(signed.issuedAt());
    assertThat(signature.signature()).hasSize(86);
    assertThat(
            SampleKeys.CURRENT
                .verificationKey(KeyValidity.UNBOUNDED)
                .verifies(text, Base64Url.decode(signature.signature()).orElseThrow()))
        .isTrue();
  }

  @Test
  void signingAgainGivesTheSameBytesAndChangesNothing() {
    ObjectNode before = receipt.deepCopy();
    byte[] bytes = signer.sign(receipt).bytes();

    assertThat(receipt).isEqualTo(before);
    assertThat(signer.sign(receipt).bytes()).isEqualTo(bytes);
    assertThat(signer.sign((ObjectNode) StrictJson.parse(bytes)).bytes()).isEqualTo(bytes);
  }

  @Test
  void aReceiptOfAnotherKeyIsRejected() {
    receipt.withObject("/issuer").put("public_key_id", "key_1");

    assertThatThrownBy(() -> signer.sign(receipt))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key_1")
        .hasMessageContaining(SampleKeys.CURRENT.id());
  }

  @Test
  void aReceiptWithoutChainOrTimeIsRejected() {
    ObjectNode unlinked = receipt.deepCopy();
    unlinked.remove("chain");
    ObjectNode timeless = receipt.deepCopy();
    timeless.remove("issued_at");

    assertThatThrownBy(() -> signer.sign(unlinked))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("previous_receipt_hash");
    assertThatThrownBy(() -> signer.sign(timeless))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("issued_at");
  }

  @Test
  void theFirstReceiptOfAChainHasNoPreviousOneAndNoRoot() {
    Receipt first = Receipt.parse(signer.sign(receipt).bytes());

    assertThat(first.chain().previousReceiptHash()).isEmpty();
    assertThat(first.chain().merkleRoot()).isEmpty();
    assertThat(first.metadata(ChainPosition.MEMBER).flatMap(ChainPosition::parse))
        .contains(new ChainPosition(0, 4));
  }

  @Test
  void theNextReceiptNamesThePreviousOneAndTheRootOverAll() {
    Sha256 one = signer.sign(receipt).hash();
    Sha256 two = Sha256.of("two".getBytes(UTF_8));
    ChainHead head = ChainHead.EMPTY.append(one).append(two);
    head.link(receipt, 5);
    Receipt third = Receipt.parse(signer.sign(receipt).bytes());

    assertThat(head.count()).isEqualTo(2);
    assertThat(third.chain().previousReceiptHash()).contains(two);
    assertThat(third.chain().merkleRoot())
        .contains(MerklePeaks.EMPTY.append(one).append(two).root());
    assertThat(third.metadata(ChainPosition.MEMBER).flatMap(ChainPosition::parse))
        .contains(new ChainPosition(2, 5));
  }

  @Test
  void aStoredHeadHasALastReceiptJustIfItHasAny() {
    Sha256 hash = Sha256.of();
    assertThatThrownBy(() -> new ChainHead(Optional.of(hash), MerklePeaks.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ChainHead(Optional.empty(), new MerklePeaks(1, List.of(hash))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
