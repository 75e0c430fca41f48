package dev.bridle.storage.fdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.DatabaseOptions;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A client without a cluster: commits end as planned, and what is opened and closed is noted. */
final class FakeClient {
  /** The numbers of the client's options that are looked at. */
  static final int TIMEOUT = 500;

  static final int RETRY_LIMIT = 501;

  final Deque<Integer> commitErrors = new ArrayDeque<>();
  final List<Integer> toldToOnError = new ArrayList<>();
  final List<String> calls = new ArrayList<>();
  private final List<Boolean> closed = new ArrayList<>();
  private Optional<Integer> onErrorEndsIn = Optional.empty();

  Database database() {
    return (Database)
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Database.class}, this::onDatabase);
  }

  /** Makes every {@code onError} fail. */
  void refuseNextAttempts(int error) {
    onErrorEndsIn = Optional.of(error);
  }

  int opened() {
    return closed.size();
  }

  boolean allClosed() {
    return closed.stream().allMatch(Boolean::booleanValue);
  }

  private Object onDatabase(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "options" -> new DatabaseOptions((code, parameter) -> {});
      case "createTransaction" -> transaction();
      default -> null;
    };
  }

  private Transaction transaction() {
    int number = closed.size();
    closed.add(false);
    return (Transaction)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Transaction.class},
            (proxy, method, arguments) -> onTransaction(number, method, arguments));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // They are what the client returns.
  private Object onTransaction(int number, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "options" ->
          new TransactionOptions(
              (code, parameter) -> calls.add("option " + code + "=" + number(parameter)));
      case "close" -> close(number);
      case "get" -> CompletableFuture.completedFuture(new byte[] {7});
      case "getReadVersion" -> CompletableFuture.completedFuture(1L);
      case "commit" -> ended(Optional.ofNullable(commitErrors.poll()));
      case "onError" -> onError(number, (FDBException) arguments[0]);
      default -> null;
    };
  }

  private Object close(int number) {
    closed.set(number, true);
    return null;
  }

  private CompletableFuture<?> onError(int number, FDBException told) {
    toldToOnError.add(told.getCode());
    // As the real client does: the old one is closed, whatever comes.
    closed.set(number, true);
    return onErrorEndsIn.isPresent()
        ? ended(onErrorEndsIn)
        : CompletableFuture.completedFuture(transaction());
  }

  private static CompletableFuture<?> ended(Optional<Integer> error) {
    return error.isPresent()
        ? CompletableFuture.failedFuture(new FDBException("planned", error.get()))
        : CompletableFuture.completedFuture(null);
  }

  private static long number(byte[] parameter) {
    return parameter == null
        ? 0
        : ByteBuffer.wrap(parameter).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
