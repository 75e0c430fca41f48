package dev.bridle.storage.fdb;

import com.apple.foundationdb.FDBException;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Converts between FoundationDB's error numbers and the contract's codes. */
final class FdbErrors {
  private FdbErrors() {}

  /** Converts a failure of one of the client's futures to the contract's exception. */
  static StoreException toStore(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof StoreException known) {
      return known;
    }
    if (cause instanceof FDBException fdb) {
      return new StoreException(code(fdb.getCode()), sentence(fdb), fdb);
    }
    return new StoreException(
        Code.STORE_FAILED, "FoundationDB's client failed in an unexpected way.", cause);
  }

  /**
   * Returns the failure to pass to {@code onError}, which the caller's code may also have created
   * itself.
   */
  static FDBException toFdb(StoreException failure) {
    return failure.getCause() instanceof FDBException original
        ? original
        : new FDBException(failure.getMessage(), failure.code().number());
  }

  static Code code(int number) {
    return switch (number) {
      case 1020 -> Code.CONFLICT;
      case 1021 -> Code.COMMIT_UNKNOWN;
      case 1039 -> Code.CLUSTER_CHANGED;
      case 1007 -> Code.TRANSACTION_TOO_OLD;
      // Future version, database or range locked, proxies out of memory, throttling: all of these
      // have written nothing, and FoundationDB itself retries them.
      case 1009, 1037, 1038, 1042, 1051, 1078, 1213, 1223, 1235, 1242 -> Code.PROCESS_BEHIND;
      case 1031 -> Code.TIMED_OUT;
      case 1025 -> Code.CANCELLED;
      case 1101 -> Code.OPERATION_CANCELLED;
      case 1032 -> Code.WATCH_LIMIT;
      case 1036 -> Code.ACCESSED_UNREADABLE;
      case 2101 -> Code.TRANSACTION_TOO_LARGE;
      case 2102 -> Code.KEY_TOO_LARGE;
      case 2103 -> Code.VALUE_TOO_LARGE;
      // Client mistakes: a bad operation, key, range, option or order of calls.
      case 1034, 2000, 2004, 2005, 2006, 2007, 2017, 2018, 2021 -> Code.INVALID_OPERATION;
      default -> Code.STORE_FAILED;
    };
  }

  private static String sentence(FDBException failure) {
    return "FoundationDB answered: " + failure.getMessage() + " (error " + failure.getCode() + ").";
  }
}
