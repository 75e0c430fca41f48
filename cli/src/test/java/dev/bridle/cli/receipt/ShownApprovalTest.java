package dev.bridle.cli.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.fixtures.client.Json;
import dev.bridle.harp.evidence.ApprovalAnswer;
import dev.bridle.harp.evidence.ApprovalDetails;
import dev.bridle.harp.evidence.SignedAction;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a verification prints of an approval. */
final class ShownApprovalTest {
  private static final String DECIDED = "2026-02-21T12:03:00Z";

  private static final ApprovalAnswer SIGNED =
      new ApprovalAnswer(
          "ada",
          Optional.of(true),
          "2026-02-21T12:02:00.123Z",
          List.of("harp"),
          Optional.of(
              new ApprovalAnswer.Signature(
                  new ApprovalAnswer.Device(
                      "device_1", "phone", "key-1", "sha256:00ff", "owner", "2026-02-20T12:00:00Z"),
                  "once",
                  "2026-02-21T12:06:00Z",
                  "allow",
                  "",
                  "Only\n\u202estaging.")));

  private static ApprovalAnswer attested(String actor, String answeredAt) {
    return new ApprovalAnswer(
        actor, Optional.of(true), answeredAt, List.of("rest"), Optional.empty());
  }

  private static SignedAction action(SignedAction.Part... parts) {
    return new SignedAction(
        new SignedAction.About("command", "shell", "Deploy", ""),
        List.of(parts),
        0,
        List.of("/srv/a.txt"),
        0);
  }

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  private static ApprovalDetails details(
      Optional<SignedAction> shown, String grant, ApprovalAnswer... answers) {
    return new ApprovalDetails("command", DECIDED, 1, grant, shown, List.of(answers));
  }

  @Test
  void aSignedApprovalSaysWhatByWhomAndWhen() {
    SignedAction action =
        action(
            new SignedAction.Part("command", "make deploy", 11),
            new SignedAction.Part("cwd", "/srv", 4));

    assertThat(ShownApproval.lines(details(Optional.of(action), "", SIGNED)))
        .containsExactly(
            "    action: command, tool shell: Deploy",
            "    │ command: make deploy",
            "    │ cwd: /srv",
            "    edits /srv/a.txt",
            "    ada approved at 2026-02-21T12:02:00.123Z (the server's clock), signed by the"
                + " device phone",
            "      key key-1, fingerprint sha256:00ff, enrolled by owner at 2026-02-20T12:00:00Z",
            "      signed for one use, to count until 2026-02-21T12:06:00Z, for the option allow",
            "      signed the reason: Only⟨U+000A⟩⟨U+202E⟩staging.");
  }

  @Test
  void whatTheServerAttestsIsSaidToBeItsWord() {
    assertThat(ShownApproval.lines(details(Optional.empty(), "", attested("ben", DECIDED))))
        .containsExactly(
            "    action: command; the receipt does not say more of it",
            "    ben approved by rest at 2026-02-21T12:03:00Z: the server's word, no device has"
                + " signed it");
    assertThat(ShownApproval.lines(details(Optional.empty(), "grant_1", attested("ben", ""))))
        .contains(
            "    allowed at 2026-02-21T12:03:00Z by the standing grant grant_1 of ben: the server's"
                + " word");
    assertThat(ShownApproval.lines(details(Optional.empty(), "")))
        .contains("    nobody has answered; it ended at 2026-02-21T12:03:00Z");
    assertThat(ShownApproval.lines(details(Optional.empty(), "", SIGNED)))
        .contains(
            "    action: command; what was shown is not in the bundle, and only its hash is signed");
  }

  @Test
  void foreignTextForgesNothing() {
    String evil = "x\n    ada approved\u001b[2J\u202e";
    SignedAction action =
        new SignedAction(
            new SignedAction.About(evil, evil, evil, evil),
            List.of(new SignedAction.Part(evil, evil, evil.length())),
            0,
            List.of(evil),
            0);

    List<String> lines =
        ShownApproval.lines(details(Optional.of(action), evil, attested(evil, evil)));

    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .matches("[^\\p{Cntrl}\u202e]*")
                    .doesNotStartWith("    ada approved"));
  }

  @Test
  void whatIsLongIsCutWithAHint() {
    SignedAction action =
        action(
            new SignedAction.Part("patch", "line\n".repeat(20), 100),
            new SignedAction.Part("text", "y".repeat(1000), 5000));

    assertThat(ShownApproval.lines(details(Optional.of(action), "", SIGNED)))
        .contains("    │ patch: 20 lines", "    │ │ line", "    │ ⟨… 8 more lines⟩")
        .contains("    │ text: " + "y".repeat(1000) + " ⟨… of 5000 characters⟩")
        .anyMatch(line -> line.contains("(shortened; the approval's line of type artifact"));
  }

  @Test
  void programsReadTheSame() {
    ObjectNode line = JsonLines.object();
    ShownApproval.addTo(
        line,
        details(
            Optional.of(action(new SignedAction.Part("command", "make", 4))),
            "",
            SIGNED,
            attested("ben", DECIDED)));

    assertThat(Json.parse(line.toString()))
        .isEqualTo(
            json(
                "{'action':'command','decided_at':'2026-02-21T12:03:00Z','required':1,"
                    + "'shown':{'kind':'command','tool':'shell','title':'Deploy','content':"
                    + "[{'name':'command','text':'make','characters':4}],'content_left_out':0,"
                    + "'edited_files':['/srv/a.txt'],'edited_files_left_out':0},'answers':["
                    + "{'actor':'ada','approved':true,'answered_at':'2026-02-21T12:02:00.123Z',"
                    + "'channels':['harp'],'attested_by':'device','scope':'once',"
                    + "'valid_until':'2026-02-21T12:06:00Z','option':'allow','reason':'Only\\n\\u202estaging.','device':"
                    + "{'id':'device_1','name':'phone','key_id':'key-1','key_fingerprint':"
                    + "'sha256:00ff','enrolled_by':'owner','enrolled_at':'2026-02-20T12:00:00Z'}},"
                    + "{'actor':'ben','approved':true,'answered_at':'2026-02-21T12:03:00Z',"
                    + "'channels':['rest'],'attested_by':'server'}]}"));
  }
}
