package dev.bridle.core.integrations.enforcer.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.core.integrations.enforcer.RelayRefusal;
import dev.bridle.core.integrations.enforcer.RelayRefusal.Outlook;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.harp.error.HarpErrorCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads what a relay answers in place of what was asked for. Of its words, only the codes of HARP
 * and reasons of one word are passed on, since others could be anything.
 */
final class RelayAnswers {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern REASON = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int TOO_LARGE = 413;
  private static final int UNPROCESSABLE = 422;
  private static final int SERVER_ERRORS = 500;

  /** A request that came too late, too early, or with too many others. */
  private static final Set<Integer> PASSING = Set.of(408, 425, 429);

  private RelayAnswers() {}

  /** Returns the refusal of a response that is no success. */
  static RelayRefusal refusal(String relay, OutboundResponse response) {
    Optional<JsonNode> error = error(response);
    Optional<HarpErrorCode> code =
        error
            .map(body -> body.path("code").asText())
            .flatMap(
                spelled ->
                    Arrays.stream(HarpErrorCode.values())
                        .filter(one -> one.spelled().equals(spelled))
                        .findFirst());
    String reason =
        error
            .map(body -> body.at("/details/reason").asText())
            .filter(word -> REASON.matcher(word).matches())
            .map(word -> ", " + word)
            .orElse("");
    return new RelayRefusal(
        code.orElse(HarpErrorCode.TRANSPORT),
        outlook(response.status(), error.isPresent(), code),
        "The relay '" + relay + "' has answered with status " + response.status() + reason + ".");
  }

  private static Outlook outlook(int status, boolean isHarp, Optional<HarpErrorCode> code) {
    if (status >= SERVER_ERRORS || PASSING.contains(status)) {
      return Outlook.PASSING;
    }
    // A server that does not speak HARP refuses whatever comes, until its URL is put right.
    boolean malformed = isHarp && (status == BAD_REQUEST || status == TOO_LARGE);
    boolean late =
        status == UNPROCESSABLE
            && code.filter(
                    one -> one == HarpErrorCode.EXPIRED || one == HarpErrorCode.HASH_MISMATCH)
                .isPresent();
    return malformed || late ? Outlook.FINAL : Outlook.REPAIRABLE;
  }

  /** Returns whether it is HARP that says that there is no such request, and no other server. */
  static boolean isUnknown(OutboundResponse response) {
    return response.status() == NOT_FOUND && error(response).isPresent();
  }

  private static Optional<JsonNode> error(OutboundResponse response) {
    try {
      return Optional.ofNullable(MAPPER.readTree(response.body()))
          .filter(envelope -> envelope.path("msgType").asText().equals("error"))
          .map(envelope -> envelope.path("body"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the refusal of a relay that does not know a request which it had. */
  static RelayRefusal forgotten(String relay) {
    return new RelayRefusal(
        HarpErrorCode.TRANSPORT,
        Outlook.FORGOTTEN,
        "The relay '" + relay + "' does not know the request any more.");
  }

  /** Returns the refusal of a call that has got no response. */
  static RelayRefusal unanswered(String relay, OutboundException failure) {
    Outlook outlook =
        switch (failure.reason()) {
          case REFUSED_URL, REFUSED_ADDRESS -> Outlook.REPAIRABLE;
          case TOO_LARGE -> Outlook.FINAL;
          default -> Outlook.PASSING;
        };
    return new RelayRefusal(
        HarpErrorCode.TRANSPORT,
        outlook,
        "The call of the relay '" + relay + "' " + failure.getMessage() + ".");
  }

  /** Returns the refusal of a call that can't be made, or of an answer that can't be used. */
  static RelayRefusal unusable(String relay, String why) {
    return new RelayRefusal(
        HarpErrorCode.TRANSPORT, Outlook.REPAIRABLE, "The relay '" + relay + "' " + why + ".");
  }
}
