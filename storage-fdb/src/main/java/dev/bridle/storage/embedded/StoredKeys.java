package dev.bridle.storage.embedded;

/** A cursor over the stored keys of one range at one version. Used by one thread at a time. */
interface StoredKeys {

  /** Returns whether the cursor stands at a key; the methods that name it need that. */
  boolean isValid();

  byte[] key();

  byte[] value();

  void next();

  void previous();

  void seekToFirst();

  void seekToLast();

  /** Goes to the first key that is {@code key} or lies behind it. */
  void seek(byte[] key);

  /** Goes to the last key that lies before {@code key}. */
  void seekBefore(byte[] key);
}
