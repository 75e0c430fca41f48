package dev.bridle.storage;

/**
 * A backup in a folder.
 *
 * @param number its number in the folder
 * @param madeAtMillis when it was made, in Unix milliseconds
 * @param bytes its size, with files that it shares with others
 * @param files how many files it is made of
 * @param version the last acknowledged version when it began: all up to there is in it
 */
public record StoredBackup(int number, long madeAtMillis, long bytes, int files, long version) {}
