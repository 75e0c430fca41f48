package dev.bridle.harp.evidence;

import java.util.List;
import java.util.Optional;

/**
 * A person's answer about an action. All texts are somebody else's, and not safe to print.
 *
 * @param actor who it counts for
 * @param approved whether it allows the action; empty where the receipt does not say of whom
 * @param answeredAt when the server has taken it, by the server's clock; empty where the receipt
 *     does not say of whom
 * @param channels the ways by which it, or one of several answers, came
 * @param signature what a device has signed; empty where the answer is the server's word
 */
public record ApprovalAnswer(
    String actor,
    Optional<Boolean> approved,
    String answeredAt,
    List<String> channels,
    Optional<Signature> signature) {
  /** Copies the list. */
  public ApprovalAnswer {
    channels = List.copyOf(channels);
  }

  /**
   * What a device has signed of an answer.
   *
   * @param device the device
   * @param scope how far it reaches: {@code once}, {@code timebox} or {@code session}
   * @param until until when it counts; devices sign no other time
   * @param option the agent's option that it chooses, or empty
   * @param grant the standing grant that it chooses, or empty
   * @param reason what the person says to it, or empty where nothing is said or the bundle does not
   *     have it
   */
  public record Signature(
      Device device, String scope, String until, String option, String grant, String reason) {}

  /**
   * The device that has signed, as it was enrolled.
   *
   * @param id its id at the server
   * @param name the approver that it is at its relay
   * @param keyId by which decisions name its key
   * @param keyFingerprint the hash of its key, as {@code bridle harp keys show} prints it
   * @param enrolledBy who has enrolled it
   * @param enrolledAt when it was enrolled
   */
  public record Device(
      String id,
      String name,
      String keyId,
      String keyFingerprint,
      String enrolledBy,
      String enrolledAt) {}
}
