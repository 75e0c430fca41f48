package dev.bridle.harp.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.Samples;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.bundle.BundleReader;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people read of a bundle's approvals. */
final class ApprovalDetailsTest {
  private static final String ANSWERED = "2026-02-21T12:02:00.123Z";

  private final ObjectNode receipt =
      (ObjectNode)
          json(
              "{'identifiers':{'workspace_ref':'w','session_id':'s','persona_ref':'p@1'},"
                  + "'approvals':[]}");
  private final EvidenceBundle bundle;

  ApprovalDetailsTest() {
    addApproval("signed", "{'required':2,'approved':2,'denied':0,'actors':['ada','ben']}");
    addApproval(
        "attested", "{'required':1,'approved':0,'denied':1,'actors':['ben'],'channels':['rest']}");
    addApproval(
        "mixed",
        "{'required':2,'approved':1,'denied':1,'actors':['ada','ben'],'channels':['rest','acp']}");
    addApproval("granted", "{'grant_id':'grant_1','actors':['ada']}");
    addApproval("timed-out", "{'required':1,'approved':0,'denied':0,'actors':[]}");
    bundle = new EvidenceBundle(receipt, KeySet.of(List.of()));
  }

  private static JsonNode json(String text) {
    return StrictJson.parse(text.replace('\'', '"').getBytes(UTF_8));
  }

  private void addApproval(String id, String proof) {
    ((ArrayNode) receipt.get("approvals"))
        .addObject()
        .put("approval_id", id)
        .put("action", "command")
        .put("decision", "approved")
        .put("decided_at", "2026-02-21T12:03:00Z")
        .set("quorum_proof", json(proof));
  }

  private void add(String type, JsonNode content) throws Exception {
    ObjectNode line = JsonNodeFactory.instance.objectNode().put("type", type);
    line.set(type, content);
    byte[] bytes = (line + "\n").getBytes(UTF_8);
    BundleLine read =
        new BundleReader(new ByteArrayInputStream(bytes), EvidenceBundle.MAX_LINE_BYTES)
            .next()
            .orElseThrow();
    bundle.add(read);
  }

  private static Artifact artifact(String content) throws Exception {
    String members =
        "\"kind\":\"command\",\"persona\":\"p\",\"session\":\"s\",\"tool\":\"shell\","
            + "\"workspace\":\"w\"}";
    ObjectNode payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("format", "bridle-permission-2")
            .put("kind", "command")
            .put("tool", "shell")
            .put("title", "Deploy")
            .put("content", content)
            .put(
                "fingerprint",
                Sha256.of(("{\"content\":" + content + "," + members).getBytes(UTF_8)).toString());
    return Artifact.create(
        new Artifact.About(
            "request-1",
            "command.review",
            "bridle:workspace/w",
            Samples.NOW,
            Samples.NOW.plusSeconds(600),
            Optional.empty()),
        payload);
  }

  private void addEvidence(Artifact artifact) throws Exception {
    Decision decision =
        Decision.sign(
            Decision.Content.once(
                    Decision.Subject.of(artifact), Answer.ALLOW, Samples.NOW.plusSeconds(60), "n")
                .withOption("allow"),
            "key-1",
            Samples.key(1));
    ObjectNode evidence =
        (ObjectNode)
            json(
                "{'approval':{'id':'signed'},'decisions':[{'actor':'ada','approved':true,"
                    + "'answered_at':'"
                    + ANSWERED
                    + "','approval_device_id':'device_1'}],'unsigned':[{'actor':'ben',"
                    + "'approved':true,'answered_at':'2026-02-21T12:03:00Z','channel':'rest'}],"
                    + "'keys':[{'enrolment':{'approval_device_id':'device_1',"
                    + "'approver_id':'phone','signer_key_id':'key-1','enrolled_by':'owner',"
                    + "'enrolled_at':'2026-02-20T12:00:00Z','signing_key':'"
                    + Base64Url.encode(Samples.publicKey(1).publicKey())
                    + "'}}]}");
    ((ObjectNode) evidence.get("decisions").get(0)).set("decision", decision.json());
    add("evidence", evidence);
  }

  private ApprovalDetails details(int index) {
    return ApprovalDetails.of(bundle).get(index);
  }

  @Test
  void whoHasSignedWhatWhereAndWhenIsKnown() throws Exception {
    Artifact artifact = artifact("{\"command\":\"make deploy\",\"cwd\":\"/srv\"}");
    add("artifact", artifact.json());
    addEvidence(artifact);

    ApprovalDetails details = details(0);
    assertThat(details.required()).isEqualTo(2);
    SignedAction shown = details.shown().orElseThrow();
    assertThat(shown.about()).isEqualTo(new SignedAction.About("command", "shell", "Deploy", ""));
    assertThat(shown.parts())
        .containsExactly(
            new SignedAction.Part("command", "make deploy", 11),
            new SignedAction.Part("cwd", "/srv", 4));
    assertThat(shown.isShortened()).isFalse();
    ApprovalAnswer ada = details.answers().get(0);
    assertThat(ada.actor()).isEqualTo("ada");
    assertThat(ada.answeredAt()).isEqualTo(ANSWERED);
    ApprovalAnswer.Signature signature = ada.signature().orElseThrow();
    assertThat(signature.device())
        .isEqualTo(
            new ApprovalAnswer.Device(
                "device_1",
                "phone",
                "key-1",
                Sha256.of(Samples.publicKey(1).publicKey()).toString(),
                "owner",
                "2026-02-20T12:00:00Z"));
    assertThat(signature.scope()).isEqualTo("once");
    assertThat(signature.until()).isEqualTo("2026-02-21T12:02:00Z");
    assertThat(signature.option()).isEqualTo("allow");
    assertThat(details.answers().get(1))
        .isEqualTo(
            new ApprovalAnswer(
                "ben",
                Optional.of(true),
                "2026-02-21T12:03:00Z",
                List.of("rest"),
                Optional.empty()));
  }

  @Test
  void whatNobodyHasSignedIsWhatTheReceiptSays() {
    assertThat(details(1).answers())
        .containsExactly(
            new ApprovalAnswer(
                "ben",
                Optional.of(false),
                "2026-02-21T12:03:00Z",
                List.of("rest"),
                Optional.empty()));
    assertThat(details(1).shown()).isEmpty();
    assertThat(details(2).answers())
        .as("of whom a denial is")
        .allSatisfy(answer -> assertThat(answer.approved()).isEmpty())
        .allSatisfy(answer -> assertThat(answer.answeredAt()).isEmpty())
        .hasSize(2);
    assertThat(details(3).grant()).isEqualTo("grant_1");
    assertThat(details(3).answers().get(0).approved()).contains(true);
    assertThat(details(4).answers()).isEmpty();
  }

  @Test
  void contentIsShortened() throws Exception {
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    content.put("command", "x".repeat(999) + "\ud83d\ude00" + "y".repeat(5000));
    content.withArray("/edits").addObject().put("old", "a").put("new", 1.50);
    content.putArray("none");
    for (int i = 0; i < 100; i++) {
      content.put("more" + i, "z".repeat(100));
    }
    SignedAction shown = SignedAction.of(artifact(content.toString()).json());

    assertThat(shown.isShortened()).isTrue();
    SignedAction.Part first = shown.parts().get(0);
    assertThat(first.name()).isEqualTo("command");
    assertThat(first.text()).isEqualTo("x".repeat(999));
    assertThat(first.characters()).isEqualTo(6001);
    assertThat(shown.parts())
        .extracting(SignedAction.Part::name)
        .startsWith("command", "edits[0].old", "edits[0].new", "none");
    assertThat(shown.parts().size() + shown.partsLeftOut()).isEqualTo(104);
    int characters = 0;
    for (SignedAction.Part part : shown.parts()) {
      characters += part.text().length() + part.name().length();
    }
    assertThat(characters).isLessThan(4200);
  }

  @Test
  void edgesOfContentAreShown() throws Exception {
    List<String> contents = new ArrayList<>(List.of("[]", "\"text\"", "7", "{}", "[[[[[[1]]]]]]"));
    List<String> texts = new ArrayList<>();
    for (String content : contents) {
      SignedAction shown = SignedAction.of(artifact(content).json());
      shown.parts().forEach(part -> texts.add(part.name() + "=" + part.text()));
    }
    assertThat(texts)
        .containsExactly("content=[]", "content=text", "content=7", "content[0][0][0][0]=[[1]]");
  }
}
