package dev.bridle.harp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.prompt.Prompt;
import dev.bridle.harp.session.SessionEvent;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The vectors that the drafts of HARP 0.2 publish. */
final class VectorsTest {
  @Test
  void theArtifactHasItsHash() throws Exception {
    Artifact artifact = Artifact.parse(Samples.bytes(Samples.artifact()));

    artifact.verifyHash();
    assertThat(new String(artifact.signable(), UTF_8)).isEqualTo(Samples.ARTIFACT);
    assertThat(artifact.type()).isEqualTo("plan.review");
    assertThat(artifact.expiresAt()).isEqualTo(Instant.parse("2026-02-21T12:10:00Z"));
    assertThat(artifact.sessionId()).contains("01J2V8V3M2YF0KX9Q0Z7E6H9R1");
  }

  @Test
  void theDecisionIsSignedByItsKey() throws Exception {
    Decision decision = Decision.parse(Samples.bytes(Samples.decision()));

    decision.verifySignature(
        VerificationKey.of(
            Base64Url.decode(Samples.PUBLIC_KEY).orElseThrow(), KeyValidity.UNBOUNDED));
    assertThat(new String(decision.signable(), UTF_8)).isEqualTo(Samples.DECISION);
    assertThat(decision.answer()).isEqualTo(Answer.ALLOW);
    assertThat(decision.scope()).isEqualTo(Scope.ONCE);
    assertThat(decision.subject().artifactHash()).isEqualTo(Samples.ARTIFACT_HASH);
  }

  @Test
  void thePromptHasItsHash() throws Exception {
    ObjectNode prompt =
        Samples.object(
            "{\"artifactType\":\"prompt.send\",\"createdAt\":\"2026-02-21T12:01:00Z\","
                + "\"promptHashAlg\":\"SHA-256\",\"repoRef\":\"repo:acme/widgets\","
                + "\"requestId\":\"01J2V9K3M2W1J5R6S7T8U9V0W1\","
                + "\"sessionId\":\"01J2V8V3M2YF0KX9Q0Z7E6H9R1\",\"target\":\"agentChat\","
                + "\"text\":\"Please summarize the plan and list risks. Keep it concise.\"}");
    prompt.put("promptHash", "0b18f65f2e4d81b0bbfa89267138163a439ee2381393f95b41f01fbdfdbabd50");

    Prompt read = Prompt.parse(Samples.bytes(prompt));
    assertThat(read.target()).isEqualTo("agentChat");
    assertThat(read.text()).startsWith("Please summarize");
    assertThat(read.expiresAt()).isEmpty();
    assertThat(read.toString()).doesNotContain("summarize");
  }

  @Test
  void theSnapshotHasItsHash() throws Exception {
    ObjectNode snapshot =
        Samples.object(
            "{\"createdAt\":\"2026-02-21T12:02:00Z\",\"eventType\":\"session.snapshot\","
                + "\"payload\":{\"filesAffected\":[\"parser.py\",\"lexer.py\"],\"summary\":"
                + "\"Parser refactor planned. Medium risk due to grammar changes.\"},"
                + "\"sessionId\":\"01J2V8V3M2YF0KX9Q0Z7E6H9R1\",\"snapshotHashAlg\":\"SHA-256\","
                + "\"snapshotId\":\"snap-001\",\"snapshotType\":\"summary\"}");
    String hash = "5145a558f7390a66768c6da0195f12484bb1f01c44b8bc33518733970ac06e5d";
    snapshot.put("snapshotHash", hash);

    SessionEvent event = SessionEvent.parse(Samples.bytes(snapshot));
    assertThat(event.snapshot()).contains(new SessionEvent.Snapshot("snap-001", hash));
    assertThat(event.at()).isEqualTo(Instant.parse("2026-02-21T12:02:00Z"));
  }
}
