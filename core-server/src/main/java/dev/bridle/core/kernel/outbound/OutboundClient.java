package dev.bridle.core.kernel.outbound;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.ResponseTimeoutMode;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.proxy.ProxyConfig;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.SplitHttpResponse;
import dev.bridle.core.kernel.outbound.OutboundException.Reason;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Calls out over HTTP. A host is looked up once, each of its addresses must be one that may be
 * connected to, and the connection goes to the very address that was looked at: what the name leads
 * to a moment later changes nothing. Redirects are answers like others, and no proxy is asked.
 */
public final class OutboundClient implements OutboundCalls, AutoCloseable {
  private static final int LOOKUP_THREADS = 8;
  private static final Duration IDLE = Duration.ofSeconds(20);

  /** How many of a host's addresses are tried where nobody takes the connection. */
  private static final int MOST_ADDRESSES = 3;

  private final OutboundOptions options;
  private final AddressGuard guard;
  private final NameResolver names;
  private final ClientFactoryBuilder factories;
  private final ThreadPoolExecutor lookups;
  private final Semaphore calls;

  /** Made for the first call: most servers never call out, and it holds what must be closed. */
  private Optional<ClientFactory> factory = Optional.empty();

  private boolean closed;

  /** Makes a client. */
  public OutboundClient(OutboundOptions options) {
    this(options, options.names());
  }

  /** Makes a client that looks hosts up otherwise. */
  public OutboundClient(OutboundOptions options, NameResolver names) {
    this(options, names, factory -> {});
  }

  OutboundClient(
      OutboundOptions options, NameResolver names, Consumer<ClientFactoryBuilder> change) {
    this.options = options;
    this.guard = new AddressGuard(options.allowed());
    this.names = names;
    this.factories =
        ClientFactory.builder()
            .connectTimeout(options.connectTimeout())
            .idleTimeout(IDLE)
            .proxyConfig(ProxyConfig.direct())
            // Every address is looked up here; nothing is left for the library to look up.
            .addressResolverGroupFactory(loop -> new NoLookups());
    change.accept(factories);
    this.lookups =
        new ThreadPoolExecutor(
            LOOKUP_THREADS,
            LOOKUP_THREADS,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(options.maxCalls()),
            OutboundClient::thread);
    lookups.allowCoreThreadTimeOut(true);
    this.calls = new Semaphore(options.maxCalls());
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "outbound-names");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Checks what can be told of a URL before it is called: that it is one, and leads nowhere that is
   * never called.
   */
  public OutboundUrl check(String text) {
    OutboundUrl url = OutboundUrl.parse(text);
    if (!url.secure() && !guard.allowsSome()) {
      throw unencrypted(Reason.REFUSED_URL);
    }
    url.literal().ifPresent(address -> need(url, address));
    return url;
  }

  @Override
  public CompletableFuture<OutboundAnswer> send(OutboundRequest request) {
    return send(request, options.maxAnswerBytes());
  }

  @Override
  public CompletableFuture<OutboundAnswer> send(OutboundRequest request, int maxAnswerBytes) {
    if (request.body().length > options.maxRequestBytes()) {
      return failed(
          Reason.TOO_LARGE, "has a body of more than " + options.maxRequestBytes() + " bytes");
    }
    if (!calls.tryAcquire()) {
      return failed(Reason.BUSY, "was not made: too many are under way");
    }
    Call call = new Call(request, maxAnswerBytes);
    CompletableFuture<OutboundAnswer> answer;
    try {
      answer =
          CompletableFuture.supplyAsync(() -> addresses(request.url()), lookups)
              .thenCompose(addresses -> call.first(addresses, 0))
              .orTimeout(options.totalTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      calls.release();
      return failed(Reason.BUSY, "was not made: too many names are being looked up");
    }
    CompletableFuture<OutboundAnswer> told = new CompletableFuture<>();
    var unused =
        answer.whenComplete(
            (done, failure) -> {
              call.end();
              calls.release();
              if (failure == null) {
                told.complete(done);
              } else {
                told.completeExceptionally(spoken(failure));
              }
            });
    return told;
  }

  private List<InetAddress> addresses(OutboundUrl url) {
    List<InetAddress> found = url.literal().map(List::of).orElseGet(() -> lookedUp(url.host()));
    // One bad address is enough: a name of both kinds is there to get past this.
    found.forEach(address -> need(url, address));
    return found;
  }

  private List<InetAddress> lookedUp(String host) {
    try {
      List<InetAddress> found = names.addresses(host);
      if (!found.isEmpty()) {
        return found;
      }
    } catch (UnknownHostException e) {
      throw new OutboundException(Reason.UNKNOWN_HOST, "names a host without an address", e);
    }
    throw new OutboundException(Reason.UNKNOWN_HOST, "names a host without an address");
  }

  private void need(OutboundUrl url, InetAddress address) {
    if (!guard.permits(address)) {
      throw new OutboundException(Reason.REFUSED_ADDRESS, "leads to an address that is not public");
    }
    if (!url.secure() && !guard.permitsPlain(address)) {
      throw unencrypted(Reason.REFUSED_ADDRESS);
    }
  }

  private static OutboundException unencrypted(Reason reason) {
    return new OutboundException(reason, "must be https: http is for ranges that are allowed");
  }

  private static CompletableFuture<OutboundAnswer> failed(Reason reason, String message) {
    return CompletableFuture.failedFuture(new OutboundException(reason, message));
  }

  private static OutboundException spoken(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof OutboundException known) {
      return known;
    }
    if (cause instanceof UnprocessedRequestException) {
      return new OutboundException(Reason.CONNECTION_FAILED, "found nobody to connect to", cause);
    }
    if (cause instanceof TimeoutException || cause instanceof ResponseTimeoutException) {
      return new OutboundException(Reason.TIMED_OUT, "was not answered in time", cause);
    }
    return new OutboundException(Reason.BROKEN_ANSWER, "broke off before its answer's end", cause);
  }

  /** Looks nothing up. */
  private static final class NoLookups extends AddressResolverGroup<InetSocketAddress> {
    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
      throw new IllegalStateException("names are looked up before");
    }
  }

  /** One request on its way. */
  private final class Call {
    private final OutboundRequest request;
    private final int maxAnswerBytes;
    private final AtomicReference<HttpResponse> under = new AtomicReference<>();
    private volatile boolean ended;

    Call(OutboundRequest request, int maxAnswerBytes) {
      this.request = request;
      this.maxAnswerBytes = maxAnswerBytes;
    }

    /** Tries addresses in turn, as long as nobody takes the connection. */
    CompletableFuture<OutboundAnswer> first(List<InetAddress> addresses, int index) {
      return over(addresses.get(index))
          .exceptionallyCompose(
              failure -> {
                boolean more = index + 1 < Math.min(addresses.size(), MOST_ADDRESSES);
                return more && !ended && failure instanceof UnprocessedRequestException
                    ? first(addresses, index + 1)
                    : CompletableFuture.failedFuture(failure);
              });
    }

    private CompletableFuture<OutboundAnswer> over(InetAddress address) {
      OutboundUrl url = request.url();
      WebClient client =
          WebClient.builder(
                  url.secure() ? SessionProtocol.H1 : SessionProtocol.H1C,
                  Endpoint.of(url.host(), url.port()).withInetAddress(address))
              .factory(factory())
              .responseTimeout(options.totalTimeout())
              .responseTimeoutMode(ResponseTimeoutMode.FROM_START)
              .maxResponseLength(0)
              .build();
      RequestHeadersBuilder headers =
          RequestHeaders.builder(HttpMethod.valueOf(request.method().name()), url.path());
      request.headers().forEach(headers::set);
      HttpResponse response =
          client.execute(HttpRequest.of(headers.build(), HttpData.wrap(request.body())));
      under.set(response);
      if (ended) {
        response.abort();
      }
      CompletableFuture<OutboundAnswer> whole = new CompletableFuture<>();
      SplitHttpResponse parts = response.split();
      var unused =
          parts
              .headers()
              .whenComplete(
                  (head, failure) -> {
                    if (failure == null) {
                      parts.body().subscribe(new BoundedAnswer(head, maxAnswerBytes, whole));
                    } else {
                      whole.completeExceptionally(failure);
                    }
                  });
      return whole;
    }

    /** Hangs up, where an answer is still on its way. */
    void end() {
      ended = true;
      HttpResponse response = under.get();
      if (response != null) {
        response.abort();
      }
    }
  }

  private synchronized ClientFactory factory() {
    if (closed) {
      throw new OutboundException(Reason.BUSY, "was not made: the server stops");
    }
    ClientFactory made = factory.orElseGet(factories::build);
    factory = Optional.of(made);
    return made;
  }

  @Override
  public void close() {
    lookups.shutdownNow();
    Optional<ClientFactory> made;
    synchronized (this) {
      closed = true;
      made = factory;
      factory = Optional.empty();
    }
    made.ifPresent(ClientFactory::close);
  }
}
