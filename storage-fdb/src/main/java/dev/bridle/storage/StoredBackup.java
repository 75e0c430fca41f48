package dev.bridle.storage;

/**
 * A backup in a folder.
 *
 * @param number its number in the folder
 * @param madeAtMillis when it was created, in Unix milliseconds
 * @param bytes its size in bytes, including files that it shares with other backups
 * @param files the number of its files
 * @param version the last acknowledged version when it began; the backup contains all commits up to
 *     it
 */
public record StoredBackup(int number, long madeAtMillis, long bytes, int files, long version) {}
