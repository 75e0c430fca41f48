package dev.bridle.host.rpc;

/**
 * Takes what the other side sends. All methods are called by one thread of the peer, in the order
 * of arrival, and answers to calls complete in that order too. While a method runs, what arrives
 * waits, up to the limits; then the other side is no longer read. So a method must not wait for an
 * answer of the other side, which may be behind it: {@link JsonRpcPeer#await} refuses that.
 */
public interface PeerHandler {
  /**
   * Takes a request, which is to be answered once, now or later, by any thread. The default says
   * that nobody serves the method.
   */
  default void request(IncomingRequest request) {
    request.fail(RpcError.of(RpcError.METHOD_NOT_FOUND, "Nobody serves " + request.method()));
  }

  /**
   * Takes a notification.
   *
   * @param whole the message as it arrived
   */
  default void notification(String method, RawJson params, RawJson whole) {}

  /**
   * Whether a line that is no message is answered with an error, as JSON-RPC wants it of a server
   * (section 5.1). The default keeps it as noise: programs print more than they should.
   */
  default boolean answersNoise() {
    return false;
  }

  /** The last call: the peer has ended, and no open call will be answered. */
  default void ended(PeerException why) {}
}
