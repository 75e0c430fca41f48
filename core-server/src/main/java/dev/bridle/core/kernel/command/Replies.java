package dev.bridle.core.kernel.command;

import io.grpc.stub.StreamObserver;

/** Completes unary calls. */
public final class Replies {
  private Replies() {}

  /** Sends the response and completes the call. */
  public static <R> void send(StreamObserver<R> observer, R response) {
    observer.onNext(response);
    observer.onCompleted();
  }
}
