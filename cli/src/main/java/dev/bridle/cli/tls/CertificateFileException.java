package dev.bridle.cli.tls;

/** A file of a certificate or key that can't be used; the message says why and what to do. */
public final class CertificateFileException extends Exception {
  private static final long serialVersionUID = 1L;

  CertificateFileException(String message) {
    super(message);
  }

  CertificateFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
