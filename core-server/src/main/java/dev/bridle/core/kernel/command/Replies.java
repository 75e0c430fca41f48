package dev.bridle.core.kernel.command;

import io.grpc.stub.StreamObserver;

/** Answers unary calls. */
public final class Replies {
  private Replies() {}

  /** Answers a call and ends it. */
  public static <R> void send(StreamObserver<R> observer, R response) {
    observer.onNext(response);
    observer.onCompleted();
  }
}
