package dev.bridle.core.work.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.permission.v1.OfferedGrant;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionOptionKind;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The normalized form of an answer. Several members may state whether it approves; they must agree,
 * so that no denial is taken for an approval.
 *
 * @param approved whether it approves
 * @param option the option that it chooses
 * @param grant the offered grant that it names
 * @param until when that grant is to end, if the answer says so
 * @param arguments what it approves instead of the arguments that were asked for
 */
record ParsedAnswer(
    boolean approved,
    Optional<PermissionOption> option,
    Optional<String> grant,
    Optional<Timestamp> until,
    Optional<ByteString> arguments) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SELECTED = "selected";
  private static final Set<String> YES = Set.of("approved", "approve");
  private static final Set<String> NO = Set.of("denied", "deny", "rejected");

  static ParsedAnswer of(
      RespondPermissionRequestRequest said, PermissionRequest request, long nowMillis) {
    PermissionQuestion asked = request.getRequest();
    Optional<JsonNode> answer =
        said.getAnswer().isEmpty() ? Optional.empty() : Optional.of(parse(said.getAnswer()));
    Optional<PermissionOption> option = option(said, answer, asked);
    List<Boolean> votes = new ArrayList<>();
    if (said.hasApproved()) {
      votes.add(said.getApproved());
    }
    word(said.getOutcome()).ifPresent(votes::add);
    answer.flatMap(ParsedAnswer::vote).ifPresent(votes::add);
    option.map(ParsedAnswer::allows).ifPresent(votes::add);
    if (votes.isEmpty()) {
      throw ProtocolException.invalid(
          "approved", "is missing; set 'approved', 'outcome', 'answer' or 'option_id'");
    }
    if (votes.stream().distinct().count() > 1) {
      throw ProtocolException.invalid("approved", "contradicts another member of the answer");
    }
    boolean approved = votes.get(0);
    if (approved) {
      var unused = OptionRules.approving(request, option);
    }
    Optional<OfferedGrant> grant = grant(said, asked, approved);
    return new ParsedAnswer(
        approved,
        option,
        grant.map(OfferedGrant::getId),
        until(said, grant, nowMillis),
        GivenArguments.of(said, request, approved));
  }

  private static Optional<PermissionOption> option(
      RespondPermissionRequestRequest said, Optional<JsonNode> answer, PermissionQuestion asked) {
    Set<PermissionOption> named = new LinkedHashSet<>();
    if (said.hasOptionId()) {
      named.add(need(asked, said.getOptionId(), "option_id", "is not one of the offered options"));
    }
    answer
        .flatMap(ParsedAnswer::optionId)
        .ifPresent(id -> named.add(need(asked, id, "answer", "names none of the offered options")));
    answer
        .filter(JsonNode::isTextual)
        .flatMap(node -> find(asked, node.textValue()))
        .ifPresent(named::add);
    if (named.size() > 1) {
      throw ProtocolException.invalid(
          "option_id", "names another option than another member of the answer");
    }
    if (named.isEmpty() && said.getOutcome().equals(SELECTED)) {
      throw ProtocolException.invalid("outcome", "is 'selected', which requires 'option_id'");
    }
    return named.stream().findFirst();
  }

  private static PermissionOption need(
      PermissionQuestion asked, String id, String param, String otherwise) {
    return find(asked, id).orElseThrow(() -> ProtocolException.invalid(param, otherwise));
  }

  private static Optional<PermissionOption> find(PermissionQuestion asked, String id) {
    return asked.getOptionsList().stream().filter(option -> option.getId().equals(id)).findFirst();
  }

  private static Optional<String> optionId(JsonNode answer) {
    JsonNode id = answer.path("option_id");
    JsonNode found =
        Stream.of(id, answer.path("optionId"), answer.at("/outcome/optionId"))
            .filter(JsonNode::isTextual)
            .findFirst()
            .orElse(id);
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
    String said = outcome.strip().toLowerCase(Locale.ROOT);
    return YES.contains(said)
        ? Optional.of(true)
        : NO.contains(said) ? Optional.of(false) : Optional.empty();
  }

  private static boolean allows(PermissionOption option) {
    return option.getKind() == PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ONCE
        || option.getKind() == PermissionOptionKind.PERMISSION_OPTION_KIND_ALLOW_ALWAYS;
  }

  private static Optional<OfferedGrant> grant(
      RespondPermissionRequestRequest said, PermissionQuestion asked, boolean approved) {
    if (!said.hasGrant()) {
      return Optional.empty();
    }
    if (!approved) {
      throw ProtocolException.invalid("grant", "is only valid with an approval");
    }
    return Optional.of(
        asked.getOfferedGrantsList().stream()
            .filter(offered -> offered.getId().equals(said.getGrant()))
            .findFirst()
            .orElseThrow(
                () -> ProtocolException.invalid("grant", "is not one of the offered grants")));
  }

  /** An answer may end a grant earlier than was offered, never later. */
  private static Optional<Timestamp> until(
      RespondPermissionRequestRequest said, Optional<OfferedGrant> grant, long nowMillis) {
    if (!said.hasUntil()) {
      return Optional.empty();
    }
    OfferedGrant offered =
        grant.orElseThrow(() -> ProtocolException.invalid("until", "is only valid with a grant"));
    if (Timestamps.toMillis(said.getUntil()) <= nowMillis) {
      throw ProtocolException.invalid("until", "must be in the future");
    }
    if (offered.hasUntil() && Timestamps.compare(said.getUntil(), offered.getUntil()) > 0) {
      throw ProtocolException.invalid(
          "until", "must not be after the offered end, " + Timestamps.toString(offered.getUntil()));
    }
    return Optional.of(said.getUntil());
  }

  private static JsonNode parse(ByteString json) {
    try {
      return MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
