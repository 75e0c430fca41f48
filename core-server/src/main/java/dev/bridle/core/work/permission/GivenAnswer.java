package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an answer says, however it is worded. Several members may say whether it approves; they must
 * agree, so that nothing is read as a yes that was meant as a no.
 *
 * @param approved whether it approves
 * @param option the option that it chooses
 * @param grant the offered grant that it names
 */
record GivenAnswer(boolean approved, Optional<PermissionOption> option, Optional<String> grant) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SELECTED = "selected";
  private static final Set<String> YES = Set.of("approved", "approve");
  private static final Set<String> NO = Set.of("denied", "deny", "rejected");

  static GivenAnswer of(RespondPermissionRequestRequest said, PermissionQuestion asked) {
    Optional<JsonNode> answer =
        said.getAnswer().isEmpty() ? Optional.empty() : Optional.of(parse(said.getAnswer()));
    Optional<PermissionOption> option = option(said, answer, asked);
    List<Boolean> votes = new ArrayList<>();
    if (said.hasApproved()) {
      votes.add(said.getApproved());
    }
    word(said.getOutcome()).ifPresent(votes::add);
    answer.flatMap(GivenAnswer::vote).ifPresent(votes::add);
    option.map(GivenAnswer::allows).ifPresent(votes::add);
    if (votes.isEmpty()) {
      throw ProtocolException.invalid(
          "approved",
          "is missing; say it with 'approved', 'outcome', 'answer' or the id of an option");
    }
    if (votes.stream().distinct().count() > 1) {
      throw ProtocolException.invalid(
          "approved", "contradicts what another member of the answer says");
    }
    boolean approved = votes.get(0);
    return new GivenAnswer(approved, option, grant(said, asked, approved));
  }

  private static Optional<PermissionOption> option(
      RespondPermissionRequestRequest said, Optional<JsonNode> answer, PermissionQuestion asked) {
    if (said.hasOptionId()) {
      return Optional.of(
          find(asked, said.getOptionId())
              .orElseThrow(
                  () ->
                      ProtocolException.invalid(
                          "option_id", "is none of the options that are offered")));
    }
    Optional<String> named = answer.flatMap(GivenAnswer::optionId);
    if (named.isPresent()) {
      return Optional.of(
          find(asked, named.get())
              .orElseThrow(
                  () ->
                      ProtocolException.invalid(
                          "answer", "names none of the options that are offered")));
    }
    Optional<PermissionOption> text =
        answer.filter(JsonNode::isTextual).flatMap(node -> find(asked, node.textValue()));
    if (text.isEmpty() && said.getOutcome().equals(SELECTED)) {
      throw ProtocolException.invalid(
          "outcome", "is 'selected', which goes with the id of an option in 'option_id'");
    }
    return text;
  }

  private static Optional<PermissionOption> find(PermissionQuestion asked, String id) {
    return asked.getOptionsList().stream().filter(option -> option.getId().equals(id)).findFirst();
  }

  private static Optional<String> optionId(JsonNode answer) {
    JsonNode id = answer.path("option_id");
    JsonNode found = id.isTextual() ? id : answer.path("optionId");
    return found.isTextual() ? Optional.of(found.textValue()) : Optional.empty();
  }

  private static Optional<Boolean> vote(JsonNode answer) {
    if (answer.isBoolean()) {
      return Optional.of(answer.booleanValue());
    }
    if (answer.isTextual()) {
      return word(answer.textValue());
    }
    JsonNode inside = answer.path("approved");
    return inside.isBoolean() ? Optional.of(inside.booleanValue()) : Optional.empty();
  }

  private static Optional<Boolean> word(String outcome) {
    return YES.contains(outcome)
        ? Optional.of(true)
        : NO.contains(outcome) ? Optional.of(false) : Optional.empty();
  }

  private static boolean allows(PermissionOption option) {
    return option.getKind() == PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE
        || option.getKind() == PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ALWAYS;
  }

  private static Optional<String> grant(
      RespondPermissionRequestRequest said, PermissionQuestion asked, boolean approved) {
    if (!said.hasGrant()) {
      return Optional.empty();
    }
    if (!approved) {
      throw ProtocolException.invalid("grant", "goes with an approval only");
    }
    boolean offered =
        asked.getOfferedGrantsList().stream()
            .anyMatch(grant -> grant.getId().equals(said.getGrant()));
    if (!offered) {
      throw ProtocolException.invalid("grant", "is none of the grants that are offered");
    }
    return Optional.of(said.getGrant());
  }

  private static JsonNode parse(ByteString json) {
    try {
      return MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
