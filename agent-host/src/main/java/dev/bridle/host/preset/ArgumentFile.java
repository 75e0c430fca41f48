package dev.bridle.host.preset;

/**
 * An argument that names a file of a preset's, which is written anew at each start.
 *
 * @param argument the option that comes before the file's path
 * @param name the file's name
 * @param text what is in it
 */
public record ArgumentFile(String argument, String name, String text) {}
