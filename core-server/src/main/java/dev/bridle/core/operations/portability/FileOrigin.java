package dev.bridle.core.operations.portability;

import dev.bridle.core.operations.portability.ImportFaults.SignedFile;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.operations.portability.file.Header;
import dev.bridle.proof.statement.FileStatement;
import dev.bridle.proof.statement.InvalidStatementException;
import dev.bridle.proof.verify.Trust;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a file is what the installation has exported that it names as its source: whether
 * a key that is trusted, and is known of no other installation, has signed all of its blocks.
 */
final class FileOrigin {
  private final ImportTrust trust;
  private final ImportFaults faults;

  FileOrigin(ImportTrust trust, ImportFaults faults) {
    this.trust = trust;
    this.faults = faults;
  }

  /** Judges a file that was read to its end. */
  void judge(FileCheck file) {
    Optional<byte[]> signed = file.signed();
    if (signed.isEmpty()) {
      faults.notSigned("no server has signed it as a whole");
      return;
    }
    try {
      judge(file, signed.get());
    } catch (InvalidStatementException e) {
      faults.found("the signature of the file does not verify: " + e.getMessage());
    }
  }

  private void judge(FileCheck file, byte[] signed) throws InvalidStatementException {
    FileStatement.Verified read = FileStatement.read(signed, Trust.none());
    FileStatement statement = read.statement();
    Header header = file.header();
    if (!statement.blocks().equals(file.blocks())
        || !statement.issuer().equals(header.installation())
        || !statement.tenantId().equals(header.tenant())) {
      faults.found("its signature is that of another file");
      return;
    }
    if (!trust.confirms(read.keyId(), statement.issuer())) {
      faults.notSigned("the key " + read.keyId() + " is not known here");
      faults.unconfirmed(read.keyId(), trust.isThis(statement.issuer()));
    } else if (trust.isOfAnother(read.keyId(), statement.issuer())) {
      faults.notSigned(ImportFaults.ofAnother(read.keyId(), statement.issuer()));
    } else if (FileStatement.read(
            signed, Trust.of(trust.of(statement.issuer(), List.of(read.keyId()))))
        .isProven()) {
      faults.signed(new SignedFile(read.keyId(), statement.issuer(), statement.at()));
    } else {
      faults.notSigned(
          "others may have had the key "
              + read.keyId()
              + " that has signed it, and may have dated it back");
    }
  }
}
