package dev.bridle.core.operations.portability.file;

/**
 * Thrown for a file that is truncated, damaged, or not an export. The message names position and
 * problem.
 */
public final class DamagedFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedFileException(String message) {
    super(message);
  }
}
