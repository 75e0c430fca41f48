package dev.bridle.cli.receipt;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CountedLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.evidence.ApprovalAnswer;
import dev.bridle.harp.evidence.ApprovalDetails;
import dev.bridle.harp.evidence.SignedAction;
import java.util.ArrayList;
import java.util.List;

/** What was approved, by whom, and when, as lines for a person and as members for programs. */
final class ShownApproval {
  private static final String INDENT = "    ";
  private static final int MAX_LINES = 12;
  private static final int MAX_ACTORS = 40;

  private final List<String> lines = new ArrayList<>();

  private ShownApproval() {}

  /** Returns the lines below the one that names the approval, each safe to print. */
  static List<String> lines(ApprovalDetails details) {
    ShownApproval shown = new ShownApproval();
    details.shown().ifPresentOrElse(shown::addAction, () -> shown.addUnknown(details));
    details.answers().stream()
        .limit(MAX_ACTORS)
        .forEach(answer -> shown.addAnswer(details, answer));
    if (details.answers().size() > MAX_ACTORS) {
      shown.add("and " + (details.answers().size() - MAX_ACTORS) + " more people");
    }
    if (details.answers().isEmpty()) {
      shown.add("nobody has answered; it ended at " + ShownText.line(details.decidedAt()));
    }
    if (details.required() > 1) {
      shown.add("required were the approvals of " + details.required() + " people");
    }
    return List.copyOf(shown.lines);
  }

  private void add(String line) {
    lines.add(INDENT + line);
  }

  private void addAction(SignedAction action) {
    SignedAction.About about = action.about();
    String tool = about.tool().isEmpty() ? "" : ", tool " + ShownText.line(about.tool());
    String title = about.title().isEmpty() ? "" : ": " + ShownText.line(about.title());
    add("action: " + ShownText.line(about.kind()) + tool + title);
    if (!about.notExact().isEmpty()) {
      add("not known exactly: " + ShownText.line(about.notExact()));
    }
    boolean isCut = action.isShortened();
    for (SignedAction.Part part : action.parts()) {
      isCut |= addPart(part);
    }
    if (action.partsLeftOut() > 0) {
      add("and " + action.partsLeftOut() + " more members");
    }
    action.files().forEach(file -> add("edits " + ShownText.line(file)));
    if (action.filesLeftOut() > 0) {
      add("and edits " + action.filesLeftOut() + " more files");
    }
    if (isCut) {
      add("(shortened; the approval's line of type artifact in the bundle has all that was shown)");
    }
  }

  /** Returns whether lines of the text are left out. */
  private boolean addPart(SignedAction.Part part) {
    String name = "│ " + ShownText.line(part.name()) + ": ";
    String more = part.isShortened() ? " ⟨… of " + part.characters() + " characters⟩" : "";
    if (part.text().indexOf('\n') < 0) {
      add(name + ShownText.line(part.text().replace("\t", "  ")) + more);
      return false;
    }
    List<String> texts = CountedLines.of(part.text()).parts();
    add(name + (more.isEmpty() ? texts.size() + " lines" : more.strip()));
    texts.stream().limit(MAX_LINES).forEach(text -> add("│ " + ShownText.barred(text)));
    if (texts.size() > MAX_LINES) {
      add("│ ⟨… " + (texts.size() - MAX_LINES) + " more lines⟩");
    }
    return texts.size() > MAX_LINES;
  }

  private void addUnknown(ApprovalDetails details) {
    boolean isSigned = details.answers().stream().anyMatch(one -> one.signature().isPresent());
    add(
        "action: "
            + ShownText.line(details.action())
            + (isSigned
                ? "; what was shown is not in the bundle, and only its hash is signed"
                : "; the receipt does not say more of it"));
  }

  private void addAnswer(ApprovalDetails details, ApprovalAnswer answer) {
    String actor = ShownText.line(answer.actor());
    String verb = answer.approved().map(is -> is ? " approved" : " denied").orElse(" answered");
    String at = answer.answeredAt().isEmpty() ? details.decidedAt() : answer.answeredAt();
    String when =
        (answer.answeredAt().isEmpty() ? " not later than " : " at ") + ShownText.line(at);
    if (answer.signature().isPresent()) {
      ApprovalAnswer.Signature signature = answer.signature().get();
      ApprovalAnswer.Device device = signature.device();
      add(
          actor
              + verb
              + when
              + " (the server's clock), signed by the device "
              + ShownText.line(device.name().isEmpty() ? device.id() : device.name()));
      add(
          "  key "
              + ShownText.line(device.keyId())
              + ", fingerprint "
              + ShownText.line(device.keyFingerprint())
              + ", enrolled by "
              + ShownText.line(device.enrolledBy())
              + " at "
              + ShownText.line(device.enrolledAt()));
      add("  signed " + reach(signature));
      if (!signature.reason().isEmpty()) {
        add("  signed the reason: " + ShownText.line(signature.reason()));
      }
    } else if (!details.grant().isEmpty()) {
      add(
          "allowed at "
              + ShownText.line(details.decidedAt())
              + " by the standing grant "
              + ShownText.line(details.grant())
              + " of "
              + actor
              + ": the server's word");
    } else {
      String ways = String.join(", ", answer.channels());
      add(
          actor
              + verb
              + (ways.isEmpty() ? "" : " by " + ShownText.line(ways))
              + when
              + ": the server's word, no device has signed it");
    }
  }

  private static String reach(ApprovalAnswer.Signature signature) {
    String grant =
        signature.grant().isEmpty() ? "" : ", with the grant " + ShownText.line(signature.grant());
    String option =
        signature.option().isEmpty()
            ? ""
            : ", for the option " + ShownText.line(signature.option());
    String scope =
        switch (signature.scope()) {
          case "once" -> "for one use";
          case "session" -> "for the session";
          case "timebox" -> "for a time";
          default -> "for " + ShownText.line(signature.scope());
        };
    return scope + ", to count until " + ShownText.line(signature.until()) + grant + option;
  }

  /** Adds the same as members of an approval's line. */
  static void addTo(ObjectNode line, ApprovalDetails details) {
    line.put("action", details.action())
        .put("decided_at", details.decidedAt())
        .put("required", details.required());
    put(line, "grant_id", details.grant());
    details.shown().ifPresent(action -> addTo(line.putObject("shown"), action));
    ArrayNode answers = line.putArray("answers");
    details.answers().forEach(answer -> addTo(answers.addObject(), answer));
  }

  private static void addTo(ObjectNode shown, SignedAction action) {
    shown.put("kind", action.about().kind());
    put(shown, "tool", action.about().tool());
    put(shown, "title", action.about().title());
    put(shown, "not_exact", action.about().notExact());
    ArrayNode parts = shown.putArray("content");
    for (SignedAction.Part part : action.parts()) {
      parts
          .addObject()
          .put("name", part.name())
          .put("text", part.text())
          .put("characters", part.characters());
    }
    shown.put("content_left_out", action.partsLeftOut());
    action.files().forEach(shown.putArray("edited_files")::add);
    shown.put("edited_files_left_out", action.filesLeftOut());
  }

  private static void addTo(ObjectNode to, ApprovalAnswer answer) {
    to.put("actor", answer.actor());
    answer.approved().ifPresent(approved -> to.put("approved", approved));
    put(to, "answered_at", answer.answeredAt());
    answer.channels().forEach(to.putArray("channels")::add);
    to.put("attested_by", answer.signature().isPresent() ? "device" : "server");
    answer
        .signature()
        .ifPresent(
            signature -> {
              ApprovalAnswer.Device device = signature.device();
              to.put("scope", signature.scope()).put("valid_until", signature.until());
              put(to, "option", signature.option());
              put(to, "grant", signature.grant());
              put(to, "reason", signature.reason());
              to.putObject("device")
                  .put("id", device.id())
                  .put("name", device.name())
                  .put("key_id", device.keyId())
                  .put("key_fingerprint", device.keyFingerprint())
                  .put("enrolled_by", device.enrolledBy())
                  .put("enrolled_at", device.enrolledAt());
            });
  }

  private static void put(ObjectNode to, String name, String value) {
    if (!value.isEmpty()) {
      to.put(name, value);
    }
  }
}
