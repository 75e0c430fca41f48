package dev.bridle.core.integrations.relay;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;

/**
 * Failures of the relay, each with HARP's code and a finer reason in its details, for the gateway
 * that speaks HARP.
 */
public final class RelayErrors {
  private static final String ALREADY_EXISTS = "AlreadyExistsConflict";
  private static final String ALREADY_DECIDED = "AlreadyDecidedConflict";
  private static final String CLOSED = "ExchangeClosedConflict";
  private static final String TOO_LARGE = "too_large";

  private RelayErrors() {}

  /** Returns the failure of a message that can't be read, and so is about no known request. */
  public static ProtocolException of(HarpException failure) {
    ErrorCode code =
        switch (failure.code()) {
          case HASH_MISMATCH, EXPIRED, POLICY_DENY -> ErrorCode.ERROR_CODE_POLICY_VIOLATION;
          case SCOPE -> ErrorCode.ERROR_CODE_PERMISSION_DENIED;
          case REPLAY -> ErrorCode.ERROR_CODE_CONFLICT;
          default ->
              failure.reason().equals(TOO_LARGE)
                  ? ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE
                  : ErrorCode.ERROR_CODE_INVALID_REQUEST;
        };
    return detailed(
        ProtocolException.of(code, failure.getMessage()),
        failure.code().spelled(),
        failure.reason());
  }

  /** Returns the failure of a message about a request. */
  public static ProtocolException of(HarpException failure, String requestId) {
    return of(failure).with("request_id", requestId);
  }

  static HarpException tooLarge(int bytes, int most) {
    return new HarpException(
        HarpErrorCode.TRANSPORT,
        TOO_LARGE,
        "The envelope has " + bytes + " bytes; at most " + most + " are accepted.");
  }

  static HarpException schema(String message) {
    return new HarpException(HarpErrorCode.TRANSPORT, "schema", message);
  }

  /** Returns the failure for an exchange that is absent, or that is not for the caller. */
  public static ProtocolException noExchange(String requestId) {
    return notFound(ProtocolException.notFound("exchange", requestId))
        .with("request_id", requestId);
  }

  /** Returns the failure for a party that is absent, or that is somebody else's. */
  static ProtocolException noParty(PartyId party) {
    return notFound(ProtocolException.notFound("party", party.id()));
  }

  /** Returns the failure for an enforcer that is not the one of this server. */
  public static ProtocolException noEnforcer(String id) {
    return noParty(PartyId.enforcer(id));
  }

  static ProtocolException noPairing() {
    return notFound(
        ProtocolException.of(
            ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "There is no such pairing, or it is over."));
  }

  static ProtocolException alreadyPaired() {
    return detailed(
        ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT, "The pairing was completed before; begin another one."),
        ALREADY_EXISTS,
        "completed");
  }

  static ProtocolException alreadyConfirmed() {
    return detailed(
        ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT, "The pairing was confirmed with another proof before."),
        ALREADY_EXISTS,
        "confirmed");
  }

  static ProtocolException takenApprover() {
    return detailed(
        ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT, "The approver's id is taken; choose another one."),
        ALREADY_EXISTS,
        "approver_taken");
  }

  static ProtocolException tooManyAttempts() {
    return detailed(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_RATE_LIMITED, "Too many codes were wrong; try again later."),
            HarpErrorCode.TRANSPORT.spelled(),
            "too_many_attempts")
        .retryAfter(10);
  }

  static ProtocolException tooManyPairings(int most) {
    return detailed(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_RATE_LIMITED, "The enforcer has too many pairings open."),
            HarpErrorCode.TRANSPORT.spelled(),
            "too_many_pairings")
        .with("max_pairings", most)
        .retryAfter(60);
  }

  static ProtocolException noChannel(String id) {
    return notFound(ProtocolException.notFound("channel", id));
  }

  static ProtocolException noMessage(String id) {
    return notFound(ProtocolException.notFound("message", id));
  }

  private static ProtocolException notFound(ProtocolException failure) {
    return detailed(failure, HarpErrorCode.TRANSPORT.spelled(), "not_found");
  }

  static ProtocolException alreadyExists(String requestId) {
    return conflict(
        ALREADY_EXISTS, requestId, "The request was submitted with another artifact before.");
  }

  /** Returns the failure for an exchange that another decision has ended. */
  public static ProtocolException alreadyDecided(String requestId) {
    return conflict(ALREADY_DECIDED, requestId, "The exchange was decided before.");
  }

  /** Returns the failure for an exchange that has ended in another way. */
  public static ProtocolException closed(String requestId, String state) {
    return conflict(CLOSED, requestId, "The exchange has ended without a decision.")
        .with("state", state);
  }

  private static ProtocolException conflict(String code, String requestId, String message) {
    return detailed(ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, message), code, "conflict")
        .with("request_id", requestId);
  }

  /** Returns the failure for a request beyond a limit of those that wait for a decision. */
  static ProtocolException tooManyPending(String requestId, String limit, int most) {
    return detailed(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_RATE_LIMITED,
                "Too many requests wait for a decision; try again later."),
            HarpErrorCode.TRANSPORT.spelled(),
            "too_many_pending")
        .with("request_id", requestId)
        .with(limit, most)
        .retryAfter(30);
  }

  /**
   * Returns the failure for a party that has sent too much in this minute.
   *
   * @param what what it sends, in the plural
   */
  static ProtocolException tooMany(String requestId, String what, int most, int retrySeconds) {
    return detailed(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_RATE_LIMITED,
                "The party has sent too many " + what + " in this minute; try again later."),
            HarpErrorCode.TRANSPORT.spelled(),
            "too_many_" + what)
        .with("request_id", requestId)
        .with("max_" + what + "_per_minute", most)
        .retryAfter(retrySeconds);
  }

  static ProtocolException tooManyWaits(int most) {
    return detailed(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_RATE_LIMITED, "Too many calls wait for decisions."),
            HarpErrorCode.TRANSPORT.spelled(),
            "too_many_waits")
        .with("max_waits", most)
        .retryAfter(5);
  }

  static ProtocolException tooManyChannels(int most) {
    return detailed(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_RATE_LIMITED, "Too many channels are open; close some."),
            HarpErrorCode.TRANSPORT.spelled(),
            "too_many_channels")
        .with("max_channels_per_party", most)
        .retryAfter(5);
  }

  /** Returns the failure for an enforcer that can't be reached now, or is not the request's. */
  static ProtocolException offline(String requestId) {
    return detailed(
            ProtocolException.of(
                ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "The enforcer has no channel open."),
            HarpErrorCode.TRANSPORT.spelled(),
            "offline")
        .with("request_id", requestId);
  }

  private static ProtocolException detailed(
      ProtocolException failure, String harpCode, String reason) {
    return failure.with("harp_code", harpCode).with("reason", reason);
  }
}
