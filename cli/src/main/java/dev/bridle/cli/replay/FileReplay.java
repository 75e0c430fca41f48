package dev.bridle.cli.replay;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.receipt.IssuerKeys;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.bundle.BundleReader;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.replay.LogReplay;
import dev.bridle.proof.verify.OneLine;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Replays a file: its key set, its one receipt, then its events, line by line. Other lines of
 * bundles are left out.
 */
final class FileReplay {
  private static final int MAX_LINE_BYTES = StrictJson.LARGEST;

  private final ReplayProgress progress;
  private IssuerKeys keys;
  private Optional<Verification> receipt = Optional.empty();
  private Optional<LogReplay> replay = Optional.empty();

  /**
   * Creates the replay of a file.
   *
   * @param given the keys of {@code --keys}; if there are none, those of the file count
   */
  FileReplay(IssuerKeys given, ReplayProgress progress) {
    this.keys = given;
    this.progress = progress;
  }

  /**
   * Reads the file up to its end, or to the first difference.
   *
   * @throws CommandFailed if it is no file to replay
   */
  ReplayResult read(InputStream in) throws IOException {
    BundleReader reader = new BundleReader(in, MAX_LINE_BYTES);
    boolean goesOn = true;
    for (Optional<BundleLine> line = reader.next();
        goesOn && line.isPresent();
        line = reader.next()) {
      goesOn = take(line.get());
    }
    Verification verified =
        receipt.orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.USAGE,
                    "The file has no receipt. Expected one of 'bridle replay record'."));
    return new ReplayResult(verified, keys.source(), replay.map(LogReplay::finish));
  }

  /** Returns whether the next line is wanted. */
  private boolean take(BundleLine line) {
    return switch (line.kind()) {
      case KEY_SET -> keySet(line);
      case RECEIPT -> receipt(line);
      case EVENT -> event(line);
      case UNREADABLE -> throw refused(line, line.detail());
      case HEADER, EVIDENCE, ARTIFACT, REVOCATION, REASON, CHAIN, END, LOST, OTHER -> true;
    };
  }

  private boolean keySet(BundleLine line) {
    if (receipt.isPresent()) {
      throw refused(line, "a key set stands before the receipt");
    }
    if (keys.source() == IssuerKeys.Source.NONE) {
      try {
        keys = new IssuerKeys(KeySet.parse(line.content()), IssuerKeys.Source.SAME_FILE);
      } catch (IllegalArgumentException e) {
        throw refused(line, "the key set is rejected: " + e.getMessage());
      }
    }
    return true;
  }

  private boolean receipt(BundleLine line) {
    if (receipt.isPresent()) {
      throw refused(line, "it is no event, and the file has its receipt already");
    }
    Verification verified = new ReceiptVerifier(keys.trust()).verify(line.content());
    receipt = Optional.of(verified);
    boolean isUsable = verified.verdict() != Verdict.INVALID;
    if (isUsable) {
      replay = verified.receipt().map(LogReplay::new);
    }
    return isUsable;
  }

  private boolean event(BundleLine line) {
    LogReplay log =
        replay.orElseThrow(() -> refused(line, "an event stands after the receipt of its task"));
    boolean goesOn = log.add(line.content());
    progress.at(log.events());
    return goesOn;
  }

  private static CommandFailed refused(BundleLine line, String why) {
    return new CommandFailed(
        ExitCodes.RECEIPT_NOT_VALID, OneLine.of("line " + line.number() + ": " + why + "."));
  }
}
