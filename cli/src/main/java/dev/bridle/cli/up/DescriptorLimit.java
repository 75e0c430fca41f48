package dev.bridle.cli.up;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps connections from taking the file descriptors that the store needs: a store that can't open
 * a file has failed.
 *
 * @param descriptors how many files and connections the process may have open; if absent, the
 *     system has no such limit
 */
record DescriptorLimit(Optional<Long> descriptors) {
  /** What is kept free: 512 for files of the store, 512 for all else but connections. */
  static final long RESERVE = 1024;

  /** The least with which a server starts. */
  static final long MINIMUM = 2 * RESERVE;

  /** Returns the limit of this process. */
  static DescriptorLimit ofProcess() {
    return new DescriptorLimit(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? Optional.of(unix.getMaxFileDescriptorCount()).filter(limit -> limit > 0)
            : Optional.empty());
  }

  /**
   * Returns the options of a server with bounds of connections that leave the reserve: where they
   * don't, all of its listeners get less, each in proportion.
   *
   * @param notices receives a warning if bounds are lowered
   * @throws CommandFailed if there are too few descriptors for a server
   */
  LocalServerOptions apply(LocalServerOptions options, Consumer<String> notices) {
    if (descriptors.isEmpty()) {
      return options;
    }
    long limit = descriptors.get();
    if (limit < MINIMUM) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The process may have only "
              + limit
              + " open files, and a server needs at least "
              + MINIMUM
              + ". Raise the limit, with 'ulimit -n' or LimitNOFILE of systemd.");
    }
    long available = limit - RESERVE;
    long bound = bound(options);
    if (bound <= available) {
      return options;
    }
    notices.accept(
        "The process may have only "
            + limit
            + " open files, so its listeners accept "
            + available
            + " connections instead of "
            + bound
            + ". Raise the limit, with 'ulimit -n' or LimitNOFILE of systemd, or lower"
            + " --max-connections.");
    return options
        .withCore(
            options
                .core()
                .withMaxConnections(
                    share(
                        options.core().listener().connections().maxConnections(),
                        available,
                        bound)))
        .withGateway(
            options.gateway().withListener(listener -> lowered(listener, available, bound)))
        .withHarp(
            options.harp().map(harp -> harp.withListener(on -> lowered(on, available, bound))));
  }

  /** Returns how many connections all listeners accept. */
  private static long bound(LocalServerOptions options) {
    ListenerOptions rest = options.gateway().listener();
    long ofHarp =
        options.harp().map(harp -> harp.beside(rest).connections().maxConnections()).orElse(0);
    return ofHarp
        + rest.connections().maxConnections()
        + options.core().listener().connections().maxConnections();
  }

  private static ListenerOptions lowered(ListenerOptions listener, long available, long bound) {
    return listener.withConnections(
        listener
            .connections()
            .withMaxConnections(share(listener.connections().maxConnections(), available, bound)));
  }

  private static int share(int connections, long available, long bound) {
    return Math.toIntExact(Math.max(1, connections * available / bound));
  }
}
