package dev.bridle.core.kernel.record;

/**
 * A record that another one refers to.
 *
 * @param kind the name of its kind
 * @param id its id
 * @param owner whether the other one belongs to it, so that both lie at one place
 */
public record Reference(String kind, String id, boolean owner) {}
