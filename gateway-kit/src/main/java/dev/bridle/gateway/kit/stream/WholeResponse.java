package dev.bridle.gateway.kit.stream;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import dev.bridle.gateway.kit.call.Call;
import io.netty.channel.Channel;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One response whose body is in memory as a whole. It is written in pieces, each when the
 * connection has taken the one before: a connection copies what is written, and who reads nothing
 * is not taken for who reads slowly. It is ended after the last, since what is ended can't be cut.
 */
final class WholeResponse {
  private static final Logger log = LoggerFactory.getLogger(WholeResponse.class);
  private static final int PIECE = 64 << 10;
  private static final byte[] NOTHING = {};

  private final Call call;
  private final HttpResponseWriter writer = HttpResponse.streaming();
  private final ResponseHeaders headers;
  private final int length;

  /** What is to be written, or is being written; nothing once the response is cut. */
  private volatile byte[] body;

  private int written;

  WholeResponse(Call call, ResponseHeaders headers, byte[] body) {
    this.call = call;
    this.headers = headers.toBuilder().contentLength(body.length).build();
    this.length = body.length;
    this.body = body;
  }

  /**
   * Starts to write.
   *
   * @throws dev.bridle.gateway.kit.error.ProtocolException if the body has no room
   */
  HttpResponse start(UnsentBytes unsent, String tenant) {
    var loop = call.ctx().eventLoop().withoutContext();
    Runnable tooSlow =
        () -> {
          body = NOTHING; // The connection may be busy, and others take the room at once.
          loop.execute(this::cut);
        };
    UnsentBytes.Share share = unsent.of(tenant, tooSlow);
    if (!share.hold(length)) {
      throw UnsentBytes.refusal();
    }
    var unused =
        writer
            .whenComplete()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    // The last piece may wait in the connection still.
                    var unusedEnd = call.ctx().log().whenComplete().thenRun(share::close);
                  } else {
                    share.close();
                  }
                });
    // A client that reads slowly may take longer than the timeout of a request.
    call.ctx().clearRequestTimeout();
    writer.write(headers);
    write(share);
    return writer;
  }

  private void write(UnsentBytes.Share share) {
    byte[] whole = body;
    if (whole == NOTHING) {
      return; // It is about to be cut.
    }
    if (written == length) {
      writer.close();
      return;
    }
    int end = Math.min(length, written + PIECE);
    // A copy, so that a piece that waits in the connection does not keep the rest.
    byte[] piece = length <= PIECE ? whole : Arrays.copyOfRange(whole, written, end);
    written = end;
    if (writer.tryWrite(HttpData.wrap(piece))) {
      var unused =
          writer
              .whenConsumed()
              .thenRun(
                  () -> {
                    share.read();
                    write(share);
                  });
    }
  }

  private void cut() {
    if (call.ctx().log().isComplete()) {
      return; // All was sent meanwhile, and the connection may have another exchange.
    }
    log.info(
        "Request {}: closed {}: it is the slowest reader, and others have no room left",
        call.requestId(),
        call.target().label());
    boolean isEnded = !writer.isOpen();
    writer.abort(ClosedStreamException.get());
    Channel channel = call.ctx().log().partial().channel();
    if (isEnded || !call.ctx().sessionProtocol().isMultiplex()) {
      // The connection would otherwise wait to flush data that nobody reads.
      var unused = channel.pipeline().firstContext().close();
    }
  }
}
