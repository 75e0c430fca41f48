package dev.bridle.worker;

/**
 * A recorded value that is not the one that was committed to when it was recorded.
 *
 * @param stepKey the key of its step
 * @param sequence the sequence of the event that recorded it
 * @param committed what was committed to, as {@code sha256:} and hexadecimal digits
 * @param found the commitment of what is there, likewise
 */
public record WrongValue(String stepKey, long sequence, String committed, String found) {}
