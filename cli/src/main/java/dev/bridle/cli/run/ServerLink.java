package dev.bridle.cli.run;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.HostFolderRequest;
import dev.bridle.admin.v1.HostFolderResponse;
import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.Timeouts;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * The admission of this process at the server, as long as this is open. Its secrets are in the
 * memory of the two processes only. If the server ends it is started again, and the same secrets
 * are admitted again, so that who uses them needs only to try again.
 */
final class ServerLink implements AutoCloseable {
  private static final int SECRET_BYTES = 32;
  private static final long PAUSE_MILLIS = 200;

  private final DetachedServer servers;
  private final Consumer<String> notices;
  private final ServerFile address;
  private final ManagedChannel channel;
  private final HostFolderRequest admission;
  private volatile boolean closed;
  private volatile boolean admitted;
  private String workspace = "";
  private String persona = "";

  private ServerLink(
      DetachedServer servers,
      Path folder,
      String agent,
      Consumer<String> notices,
      ServerFile address) {
    this.servers = servers;
    this.notices = notices;
    this.address = address;
    this.channel = address.channel(servers.data());
    // Nobody else has this secret: what it answers was answered at this terminal. Receipts name the
    // person, who is the same at each of their terminals.
    this.admission =
        HostFolderRequest.newBuilder()
            .setFolder(folder.toString())
            .setAgent(agent)
            .setActor(TerminalPerson.name())
            .setPersonSecret(secret())
            .setWorkerSecret(secret())
            .build();
  }

  private static String secret() {
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    return "bridle_run_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /**
   * Finds or starts the server, and has this process admitted.
   *
   * @param agent what identifies the agent
   * @param notices receives messages for the user
   */
  static ServerLink open(
      DetachedServer servers, Path folder, String agent, Consumer<String> notices)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + Timeouts.SERVER_START.toNanos();
    while (true) {
      ServerLink link = new ServerLink(servers, folder, agent, notices, servers.find());
      try {
        link.admit(true);
        return link;
      } catch (StatusRuntimeException e) {
        link.close();
        link.pauseUnlessRefused(e, until);
      } catch (IOException | InterruptedException | RuntimeException e) {
        link.close();
        throw e;
      }
    }
  }

  /** A server that ends just now, and secrets that it has not forgotten yet, are waited for. */
  private void pauseUnlessRefused(StatusRuntimeException failure, long until)
      throws InterruptedException {
    Status.Code code = failure.getStatus().getCode();
    boolean passing =
        code == Status.Code.UNAVAILABLE
            || code == Status.Code.ALREADY_EXISTS
            || code == Status.Code.ABORTED
            || code == Status.Code.CANCELLED;
    if (!passing || System.nanoTime() > until) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The server (process "
              + address.pid()
              + ", data "
              + servers.data()
              + ") does not admit this process: "
              + failure.getStatus().getDescription(),
          failure);
    }
    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
  }

  /**
   * Has this process admitted.
   *
   * @param first whether it is so for the first time: then its leases are those of a host that is
   *     gone, as this one has the folder's lock
   */
  private void admit(boolean first) throws IOException, InterruptedException {
    CompletableFuture<HostFolderResponse> answer = new CompletableFuture<>();
    AdminServiceGrpc.newStub(OperatorKey.on(channel, servers.data()))
        .hostFolder(
            admission.toBuilder().setTakesOver(first).build(),
            new StreamObserver<>() {
              @Override
              public void onNext(HostFolderResponse response) {
                answer.complete(response);
              }

              @Override
              public void onError(Throwable failure) {
                if (!answer.completeExceptionally(failure)) {
                  lost();
                }
              }

              @Override
              public void onCompleted() {
                onError(Status.UNAVAILABLE.asRuntimeException());
              }
            });
    try {
      HostFolderResponse place = answer.get(Timeouts.PROBE.toSeconds(), TimeUnit.SECONDS);
      workspace = place.getWorkspaceId();
      persona = place.getPersonaId();
      admitted = true;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StatusRuntimeException status
          ? status
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw Status.UNAVAILABLE
          .withDescription("it does not answer within " + Timeouts.PROBE.toSeconds() + " s")
          .withCause(e)
          .asRuntimeException();
    }
  }

  private void lost() {
    admitted = false;
    if (!closed) {
      Thread thread = new Thread(this::recover, "bridle-run-server");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void recover() {
    notices.accept("the server has ended; it is started again");
    long until = System.nanoTime() + Timeouts.SERVER_START.toNanos();
    while (!closed) {
      try {
        ServerFile found = servers.find();
        if (!found.httpUrl().equals(address.httpUrl()) || found.grpcPort() != address.grpcPort()) {
          throw new CommandFailed(
              ExitCodes.FAILED, "the server runs at another address, " + found.httpUrl());
        }
        channel.resetConnectBackoff();
        admit(false);
        notices.accept("the server runs again");
        return;
      } catch (StatusRuntimeException e) {
        try {
          pauseUnlessRefused(e, until);
        } catch (CommandFailed refused) {
          giveUp(refused);
          return;
        } catch (InterruptedException interrupted) {
          return;
        }
      } catch (IOException | RuntimeException e) {
        giveUp(e);
        return;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void giveUp(Exception failure) {
    if (!closed) {
      notices.accept(
          "this can't go on ("
              + failure.getMessage()
              + "); end it with Ctrl-C, and the next 'bridle run' in this folder goes on");
    }
  }

  /** Returns a channel whose calls wait until a new server has admitted this process again. */
  Channel channel() {
    return ClientInterceptors.intercept(
        channel,
        new ClientInterceptor() {
          @Override
          public <Q, R> ClientCall<Q, R> interceptCall(
              MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            awaitAdmission();
            return next.newCall(method, options);
          }
        });
  }

  private void awaitAdmission() {
    long until = System.nanoTime() + Timeouts.RECONNECT.toNanos();
    try {
      while (!admitted && !closed && System.nanoTime() < until) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  URI url() {
    return URI.create(address.httpUrl());
  }

  /** Returns the URL of the server's relay for devices, if it serves one. */
  Optional<String> relay() {
    return address.harpUrl();
  }

  /** Returns the file of the server's certificate; empty where it speaks plaintext. */
  Optional<String> certificateFile() {
    return address.certificate().map(ServerFile.Certificate::file);
  }

  /** Returns how the gateway is trusted; empty where it speaks plaintext. */
  Optional<SSLContext> trust() {
    return address.trust(servers.data());
  }

  String workspace() {
    return workspace;
  }

  /** Returns the persona of the agent. */
  String persona() {
    return persona;
  }

  String actor() {
    return admission.getActor();
  }

  String personSecret() {
    return admission.getPersonSecret();
  }

  String workerSecret() {
    return admission.getWorkerSecret();
  }

  @Override
  public void close() {
    closed = true;
    channel.shutdownNow();
  }
}
