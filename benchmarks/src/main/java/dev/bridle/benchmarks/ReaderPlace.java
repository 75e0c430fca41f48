package dev.bridle.benchmarks;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import dev.bridle.core.server.CoreServer;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.HttpGateway;
import io.grpc.Channel;
import io.grpc.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Where readers stand: what an event has passed before it is counted as delivered. */
interface ReaderPlace extends AutoCloseable {

  /** Opens so many readers of a session, and waits until all of them are live. */
  List<EventReader> open(String session, int readers);

  /** Ends all readers. */
  @Override
  void close();

  /** Where the log fans out, at the core's channel within the process. */
  static ReaderPlace channel(Channel channel) {
    Context.CancellableContext context = Context.current().withCancellation();
    return new ReaderPlace() {
      @Override
      public List<EventReader> open(String session, int readers) {
        List<EventReader> opened = new ArrayList<>();
        context.run(
            () ->
                fill(
                    opened,
                    readers,
                    () -> ChannelReader.of(EventServiceGrpc.newStub(channel), session)));
        opened.forEach(EventReader::awaitLive);
        return opened;
      }

      @Override
      public void close() {
        context.close();
      }
    };
  }

  /** Behind the gateway, at the client's end of a connection of its own. */
  static ReaderPlace sockets(CoreServer core, String authorization) {
    HttpGateway gateway =
        HttpGateway.start(
            core.channel(), GatewayOptions.defaults().withListener(on -> on.withPort(0)));
    ClientFactory factory = ClientFactory.builder().useHttp2Preface(false).build();
    WebClient web = SseReader.client(gateway.baseUrl(), factory);
    return new ReaderPlace() {
      @Override
      public List<EventReader> open(String session, int readers) {
        List<EventReader> opened = new ArrayList<>();
        fill(opened, readers, () -> SseReader.of(web, authorization, session));
        opened.forEach(EventReader::awaitLive);
        return opened;
      }

      @Override
      public void close() {
        factory.close();
        gateway.close();
      }
    };
  }

  private static void fill(List<EventReader> opened, int readers, Supplier<EventReader> reader) {
    for (int i = 0; i < readers; i++) {
      opened.add(reader.get());
    }
  }
}
