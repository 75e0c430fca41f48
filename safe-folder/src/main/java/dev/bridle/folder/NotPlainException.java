package dev.bridle.folder;

import java.nio.file.FileSystemException;

/** What was to be opened is a link or a special file, or has become one since it was looked at. */
public final class NotPlainException extends FileSystemException {
  private static final long serialVersionUID = 1;

  NotPlainException(String name) {
    super(name, null, "it is a link or a special file, which is neither followed nor opened");
  }
}
