package dev.bridle.core.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionResponse;
import org.junit.jupiter.api.Test;

class ResourceJsonTest {
  @Test
  void aTruthValueOrNumberThatCannotBeAbsentIsWrittenWhateverItIs() {
    assertThat(
            ResourceJson.of(PermissionAnswer.newBuilder().setActor("ada").build()).toStringUtf8())
        .isEqualTo("{\"actor\":\"ada\",\"approved\":false}");
    assertThat(ResourceJson.of(PermissionQuestion.getDefaultInstance()).toStringUtf8())
        .isEqualTo("{\"approvers_required\":0}");
  }

  @Test
  void aTruthValueThatMayBeAbsentIsWrittenOnlyWhereItIsSet() {
    assertThat(ResourceJson.of(PermissionResponse.getDefaultInstance()).toStringUtf8())
        .isEqualTo("{}");
    assertThat(
            ResourceJson.of(PermissionResponse.newBuilder().setApproved(false).build())
                .toStringUtf8())
        .isEqualTo("{\"approved\":false}");
  }

  @Test
  void whatHashesAreOfLeavesZeroAndFalseOut() {
    assertThat(ResourceJson.nonDefault(PermissionQuestion.getDefaultInstance()).toStringUtf8())
        .isEqualTo("{}");
    assertThat(ResourceJson.nonDefault(PermissionAnswer.getDefaultInstance()).toStringUtf8())
        .isEqualTo("{}");
  }
}
