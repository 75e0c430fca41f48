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
import com.linecorp.armeria.common.util.TlsEngineType;
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
import javax.net.ssl.TrustManager;

/**
 * Sends HTTP requests to other systems. A host is resolved once, each of its addresses must be
 * allowed, and the connection goes to a checked address, so DNS rebinding has no effect. Redirects
 * are returned like other responses, and no proxy is used. Thread-safe.
 */
public final class OutboundClient implements OutboundCalls, AutoCloseable {
  private static final int LOOKUP_THREADS = 8;
  private static final Duration IDLE = Duration.ofSeconds(20);

  /** How many of a host's addresses are tried while connections fail. */
  private static final int MOST_ADDRESSES = 3;

  private final OutboundOptions options;
  private final AddressGuard guard;
  private final NameResolver names;
  private final ClientFactoryBuilder factories;
  private final ThreadPoolExecutor lookups;
  private final Semaphore calls;

  /**
   * Created for the first call: most servers never call out, and it holds resources that must be
   * closed.
   */
  private Optional<ClientFactory> factory = Optional.empty();

  private boolean closed;

  /** Creates a client. */
  public OutboundClient(OutboundOptions options) {
    this(options, options.names());
  }

  /** Creates a client with its own name resolver. */
  public OutboundClient(OutboundOptions options, NameResolver names) {
    this(options, names, factory -> {});
  }

  /** Creates a client that trusts servers as {@code trust} decides, and not those of Java's CAs. */
  public static OutboundClient trusting(OutboundOptions options, TrustManager trust) {
    return new OutboundClient(
        options, options.names(), factory -> factory.tlsCustomizer(tls -> tls.trustManager(trust)));
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
            .tlsEngineType(TlsEngineType.JDK)
            // Names are resolved here; the library must not resolve any.
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
   * Checks a URL before it is stored: that it is valid, and does not name an address that is
   * blocked. Does not resolve the host.
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
  public CompletableFuture<OutboundResponse> send(OutboundRequest request) {
    return send(request, options.maxAnswerBytes());
  }

  @Override
  public CompletableFuture<OutboundResponse> send(OutboundRequest request, int maxAnswerBytes) {
    if (request.body().length > options.maxRequestBytes()) {
      return failed(
          Reason.TOO_LARGE, "has a body of more than " + options.maxRequestBytes() + " bytes");
    }
    if (!calls.tryAcquire()) {
      return failed(Reason.BUSY, "was not made: too many are in flight");
    }
    Call call = new Call(request, maxAnswerBytes);
    CompletableFuture<OutboundResponse> answer;
    try {
      answer =
          CompletableFuture.supplyAsync(() -> addresses(request.url()), lookups)
              .thenCompose(addresses -> call.tryFrom(addresses, 0))
              .orTimeout(options.totalTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      calls.release();
      return failed(Reason.BUSY, "was not made: too many names are being looked up");
    }
    CompletableFuture<OutboundResponse> result = new CompletableFuture<>();
    var unused =
        answer.whenComplete(
            (done, failure) -> {
              call.end();
              calls.release();
              if (failure == null) {
                result.complete(done);
              } else {
                result.completeExceptionally(toOutboundException(failure));
              }
            });
    return result;
  }

  private List<InetAddress> addresses(OutboundUrl url) {
    List<InetAddress> found = url.literal().map(List::of).orElseGet(() -> resolve(url.host()));
    // One blocked address is enough: a name with both kinds is there to bypass this check.
    found.forEach(address -> need(url, address));
    return found;
  }

  private List<InetAddress> resolve(String host) {
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

  private static CompletableFuture<OutboundResponse> failed(Reason reason, String message) {
    return CompletableFuture.failedFuture(new OutboundException(reason, message));
  }

  private static OutboundException toOutboundException(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof OutboundException known) {
      return known;
    }
    if (cause instanceof UnprocessedRequestException) {
      return new OutboundException(Reason.CONNECTION_FAILED, "could not connect", cause);
    }
    if (cause instanceof TimeoutException || cause instanceof ResponseTimeoutException) {
      return new OutboundException(Reason.TIMED_OUT, "got no response in time", cause);
    }
    return new OutboundException(
        Reason.BROKEN_ANSWER, "ended before the response was complete", cause);
  }

  /** A resolver that fails, since names are resolved before. */
  private static final class NoLookups extends AddressResolverGroup<InetSocketAddress> {
    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
      throw new IllegalStateException("names must be resolved before the request is sent");
    }
  }

  /** One request in flight. */
  private final class Call {
    private final OutboundRequest request;
    private final int maxAnswerBytes;
    private final AtomicReference<HttpResponse> inFlight = new AtomicReference<>();
    private volatile boolean ended;

    Call(OutboundRequest request, int maxAnswerBytes) {
      this.request = request;
      this.maxAnswerBytes = maxAnswerBytes;
    }

    /** Tries addresses in turn while connections fail. */
    CompletableFuture<OutboundResponse> tryFrom(List<InetAddress> addresses, int index) {
      return sendTo(addresses.get(index))
          .exceptionallyCompose(
              failure -> {
                boolean more = index + 1 < Math.min(addresses.size(), MOST_ADDRESSES);
                return more && !ended && failure instanceof UnprocessedRequestException
                    ? tryFrom(addresses, index + 1)
                    : CompletableFuture.failedFuture(failure);
              });
    }

    private CompletableFuture<OutboundResponse> sendTo(InetAddress address) {
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
      inFlight.set(response);
      if (ended) {
        response.abort();
      }
      CompletableFuture<OutboundResponse> whole = new CompletableFuture<>();
      SplitHttpResponse parts = response.split();
      var unused =
          parts
              .headers()
              .whenComplete(
                  (head, failure) -> {
                    if (failure == null) {
                      parts.body().subscribe(new BoundedBodyReader(head, maxAnswerBytes, whole));
                    } else {
                      whole.completeExceptionally(failure);
                    }
                  });
      return whole;
    }

    /** Aborts a response that is still incomplete. */
    void end() {
      ended = true;
      HttpResponse response = inFlight.get();
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
