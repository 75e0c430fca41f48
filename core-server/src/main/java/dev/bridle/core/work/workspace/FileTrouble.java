package dev.bridle.core.work.workspace;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;

/** Why a file is not read or written, told alike wherever files lie. */
final class FileTrouble {
  private static final String PARAM = "path";

  private FileTrouble() {}

  static ProtocolException fileInTheWay(FilePath directory) {
    return conflict("A file has the name of a directory of this path.")
        .with(PARAM, directory.text());
  }

  static ProtocolException directoryInTheWay(FilePath path) {
    return conflict("A directory has this path.").with(PARAM, path.text());
  }

  static ProtocolException full() {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT, "The workspace holds as much as one can hold.")
        .with("files", WorkspaceFiles.MOST_FILES)
        .with("bytes", WorkspaceFiles.MOST_BYTES);
  }

  /** A link leads who knows where, and a device or a pipe is no file. */
  static ProtocolException notPlain() {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_POLICY_VIOLATION,
            "A link, or what is no file and no directory, stands at this path; it is neither"
                + " followed nor opened.")
        .blaming(PARAM);
  }

  static ProtocolException tooLong(long bytes) {
    return tooLarge("The file has more bytes than can be read.")
        .with("bytes", bytes)
        .with("most", WorkspaceFiles.MOST_BYTES_OF_FILE);
  }

  static ProtocolException tooMany() {
    return tooLarge("More lies in the directory than can be listed.")
        .with("most", WorkspaceFiles.MOST_FILES);
  }

  static ProtocolException noText() {
    return conflict("The file is no text in UTF-8.");
  }

  static ProtocolException reserved() {
    return ProtocolException.invalid(
        PARAM, "must not have a part that begins with '" + OpenFolder.TEMPORARY + "'");
  }

  static ProtocolException unspeakable() {
    return ProtocolException.invalid(
        PARAM,
        "holds letters that the server's locale can't spell in names of files; its operator can"
            + " start it with LC_ALL=C.UTF-8");
  }

  static ProtocolException changing() {
    return conflict("The folder changed while the file was written; try again.");
  }

  static ProtocolException unusable() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE,
        "The workspace's folder can't be used; the server's log says why.");
  }

  private static ProtocolException conflict(String why) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, why).blaming(PARAM);
  }

  private static ProtocolException tooLarge(String why) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE, why).blaming(PARAM);
  }
}
