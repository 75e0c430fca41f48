package dev.bridle.core.kernel.command;

import java.util.function.Function;

/**
 * What a command acts on, such as a task: read once in each attempt, for the command's workspace
 * and for its work.
 *
 * @param find returns it as the caller may see it, and throws where the caller may not
 * @param workspace returns its workspace
 * @param <S> what it is
 */
public record Subject<S>(Function<Write, S> find, Function<S, String> workspace) {
  /** Says how a subject is found, and where it lies. */
  public static <S> Subject<S> of(Function<Write, S> find, Function<S, String> workspace) {
    return new Subject<>(find, workspace);
  }
}
