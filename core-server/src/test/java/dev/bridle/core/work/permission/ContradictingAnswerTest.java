package dev.bridle.core.work.permission;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import org.junit.jupiter.api.Test;

/** What an answer says in several members has to agree, or the answer counts for nothing. */
class ContradictingAnswerTest extends AskedTasks {
  private void refused(String request, String param, RespondPermissionRequestRequest.Builder said) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        param,
        () -> people().respondPermissionRequest(said.build()));
    assertThat(read(request).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_PENDING);
  }

  private static ByteString json(String text) {
    return ByteString.copyFromUtf8(text);
  }

  @Test
  void anOptionThatTheAnswerNamesIsTheOneOfTheOptionId() {
    String request = ask(begin(), "1", "deploy").getRequestId();

    for (String answer :
        new String[] {
          "\"no\"",
          "{\"optionId\":\"no\"}",
          "{\"option_id\":\"no\"}",
          "{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"no\"}}"
        }) {
      refused(request, "option_id", said(request).setOptionId("yes").setAnswer(json(answer)));
      refused(request, "approved", said(request).setApproved(true).setAnswer(json(answer)));
    }
    refused(request, "approved", said(request).setApproved(true).setAnswer(json("\"Rejected\"")));
  }

  @Test
  void membersThatAgreeAreOneAnswer() {
    String request = ask(begin(), "1", "deploy").getRequestId();

    assertThat(
            people()
                .respondPermissionRequest(
                    said(request)
                        .setApproved(true)
                        .setOptionId("yes")
                        .setAnswer(json("{\"outcome\":{\"optionId\":\"yes\"}}"))
                        .build())
                .getStatus())
        .isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
  }
}
