package dev.bridle.core.work.permission;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;

/** Makes calls as they come by the channels of gateways. */
public final class AnswerChannels {
  private AnswerChannels() {}

  /** Returns a channel whose calls come by a WebSocket. */
  public static Channel byWebSocket(Channel channel) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("bridle-channel", Metadata.ASCII_STRING_MARSHALLER), "websocket");
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }
}
