package dev.bridle.core.work.workspace;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.folder.OpenFolder;

/** The errors of reading and writing files, the same for every storage of files. */
final class FileErrors {
  private static final String PARAM = "path";

  private FileErrors() {}

  static ProtocolException fileInTheWay(FilePath directory) {
    return conflict("A file has the name of a directory of this path.")
        .with(PARAM, directory.text());
  }

  static ProtocolException directoryInTheWay(FilePath path) {
    return conflict("A directory has this path.").with(PARAM, path.text());
  }

  static ProtocolException full() {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT, "The workspace has reached its limit of files or bytes.")
        .with("files", WorkspaceFiles.MOST_FILES)
        .with("bytes", WorkspaceFiles.MOST_BYTES);
  }

  /** Links may lead out of the workspace, and devices and pipes are not files. */
  static ProtocolException notPlain() {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_POLICY_VIOLATION,
            "The path is a link or a special file, which is neither followed nor opened.")
        .blaming(PARAM);
  }

  static ProtocolException fileTooLarge(long bytes) {
    return tooLarge("The file has more bytes than can be read.")
        .with("bytes", bytes)
        .with("most", WorkspaceFiles.MOST_BYTES_OF_FILE);
  }

  static ProtocolException directoryTooLarge() {
    return tooLarge("The directory has more entries than can be listed.")
        .with("most", WorkspaceFiles.MOST_FILES);
  }

  static ProtocolException notText() {
    return conflict("The file is not UTF-8 text.");
  }

  static ProtocolException reserved() {
    return ProtocolException.invalid(
        PARAM, "must not have a part that begins with '" + OpenFolder.TEMPORARY + "'");
  }

  static ProtocolException notEncodable() {
    return ProtocolException.invalid(
        PARAM,
        "contains characters that the server's locale can't encode in file names; the operator"
            + " can start the server with LC_ALL=C.UTF-8");
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
