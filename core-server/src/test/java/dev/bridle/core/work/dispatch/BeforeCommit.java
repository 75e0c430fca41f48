package dev.bridle.core.work.dispatch;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Function;

/** A store that does something right before the next commit. */
final class BeforeCommit implements KeyValueStore {
  private final KeyValueStore store;
  private final RetryLoop retryLoop = RetryLoop.standard(this::begin);
  private Optional<Runnable> next = Optional.empty();

  BeforeCommit(KeyValueStore store) {
    this.store = store;
  }

  /** Runs something before the next commit, once. */
  void once(Runnable work) {
    next = Optional.of(work);
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    Transaction inner = store.begin(options);
    return (Transaction)
        Proxy.newProxyInstance(
            BeforeCommit.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (proxy, method, arguments) -> call(inner, method, arguments));
  }

  private Object call(Transaction inner, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("commit") && next.isPresent()) {
      Runnable work = next.get();
      next = Optional.empty();
      work.run();
    }
    try {
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return retryLoop.run(options, work);
  }

  @Override
  public void close() {}
}
