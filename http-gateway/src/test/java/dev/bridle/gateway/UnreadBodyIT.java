package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.auth.v1.AuthServiceGrpc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections whose request was answered before its body had come. */
class UnreadBodyIT {
  private static final int TIMEOUT_MILLIS = 20_000;

  private GatewayFixture fixture;

  @BeforeEach
  void start() {
    fixture = new GatewayFixture(options -> options);
    fixture.core.answer(
        AuthServiceGrpc.getGetCallerMethod(),
        request -> {
          throw FakeCore.failure(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "The key is not known.");
        });
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void aRefusedBodyWithoutAnEndIsNotReadOn() throws IOException {
    try (Socket socket = begin("Transfer-Encoding: chunked")) {
      BufferedReader in = reader(socket);
      assertThat(in.readLine()).contains(" 401 ");
      assertThat(in.lines().takeWhile(line -> !line.isEmpty()))
          .anyMatch(line -> line.equalsIgnoreCase("connection: close"));

      OutputStream out = socket.getOutputStream();
      byte[] chunks = "1\r\n \r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
      long end = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
      // Writes fail once the gateway has closed its side; they would go on for ever otherwise.
      assertThatThrownBy(
              () -> {
                while (System.nanoTime() < end) {
                  out.write(chunks);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aRefusedBodyOfGreatLengthIsNotReadOn() throws IOException {
    try (Socket socket = begin("Content-Length: 1000000")) {
      assertThat(reader(socket).lines())
          .anyMatch(line -> line.contains(" 401 "))
          .anyMatch(line -> line.equalsIgnoreCase("connection: close"));
    }
  }

  @Test
  void aConnectionOutlivesTheRefusalOfAShortBody() throws IOException {
    try (Socket socket = begin("Content-Length: 5")) {
      BufferedReader in = reader(socket);
      assertThat(in.readLine()).contains(" 401 ");
      OutputStream out = socket.getOutputStream();
      out.write(
          "{   }GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      assertThat(in.lines()).anyMatch(line -> line.contains("HTTP/1.1 200 "));
    }
  }

  private Socket begin(String length) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.gateway.port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket
        .getOutputStream()
        .write(
            ("POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer bad\r\n"
                    + "Content-Type: application/json\r\nHarn-Agents-Protocol-Version: "
                    + GatewayFixture.VERSION
                    + "\r\n"
                    + length
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }
}
