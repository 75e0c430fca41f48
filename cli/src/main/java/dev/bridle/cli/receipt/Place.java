package dev.bridle.cli.receipt;

import dev.bridle.proof.verify.OneLine;

/**
 * Where a receipt stands.
 *
 * @param file its name
 * @param line from 1; 0 if the receipt is the whole file
 */
record Place(String file, long line) {
  /** Returns one line: control characters of the name are escaped. */
  @Override
  public String toString() {
    return OneLine.of(line == 0 ? file : file + ":" + line);
  }
}
