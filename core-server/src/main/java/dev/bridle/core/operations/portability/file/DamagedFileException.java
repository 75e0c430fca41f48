package dev.bridle.core.operations.portability.file;

/** An export file that is cut off, damaged, or none. Its message says where and what. */
public final class DamagedFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedFileException(String message) {
    super(message);
  }
}
