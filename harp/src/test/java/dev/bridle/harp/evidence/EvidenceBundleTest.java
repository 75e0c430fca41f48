package dev.bridle.harp.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.bundle.BundleReader;
import dev.bridle.proof.key.KeySet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What is kept of a bundle is bounded, whoever has made it. */
class EvidenceBundleTest {
  private static final int APPROVALS = 20;
  private static final String PADDING = "x".repeat(EvidenceBundle.MAX_LINE_BYTES - 200);

  @Test
  void moreEvidenceThanIsKeptFailsAndSaysSo() throws Exception {
    ObjectNode receipt = JsonNodeFactory.instance.objectNode();
    ArrayNode approvals = receipt.putArray("approvals");
    for (int i = 0; i < APPROVALS; i++) {
      approvals.addObject().put("approval_id", "approval_" + i);
    }
    EvidenceBundle bundle = new EvidenceBundle(receipt, KeySet.of(List.of()));
    int fit = EvidenceBundle.MAX_BYTES / EvidenceBundle.MAX_LINE_BYTES;
    for (int i = 0; i < fit; i++) {
      bundle.add(evidence(i));
    }

    assertThat(bundle.evidence("approval_0")).isPresent();
    assertThatThrownBy(() -> bundle.add(evidence(fit)))
        .isInstanceOf(EvidenceException.class)
        .hasMessage("more than 64 MiB of it");
  }

  private static BundleLine evidence(int approval) throws IOException {
    String line =
        String.format(
            Locale.ROOT,
            "{\"type\":\"evidence\",\"evidence\":{\"approval\":{\"id\":\"approval_%d\"},\"more\":\"%s\"}}",
            approval,
            PADDING);
    return new BundleReader(
            new ByteArrayInputStream(line.getBytes(UTF_8)), EvidenceBundle.MAX_LINE_BYTES)
        .next()
        .orElseThrow();
  }
}
