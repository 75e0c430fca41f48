package dev.bridle.core.operations.portability;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.statement.FileStatement;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.ImportStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Signs what this installation exports, and nothing that it has not sent itself. */
public final class ExportSigner {
  private final CoreContext context;
  private final String installation;
  private final ReceiptKeys keys;
  private final Tenants tenants;
  private final RequestHash resumes;
  private final ImportStore imports;

  /**
   * Creates the signer of an installation.
   *
   * @param installation its id, which issues what it signs
   * @param tenants the tenants
   * @param resumes the keyed hash of the points at which exports resume
   */
  public ExportSigner(
      CoreContext context,
      String installation,
      ReceiptKeys keys,
      Tenants tenants,
      RequestHash resumes) {
    this.context = context;
    this.installation = installation;
    this.keys = keys;
    this.tenants = tenants;
    this.resumes = resumes;
    this.imports = new ImportStore(context.layout());
  }

  String installation() {
    return installation;
  }

  /**
   * Begins an export.
   *
   * @param tenant the tenant
   * @param of the session and task, or empty
   */
  Begun begin(String tenant, List<String> of) {
    return context.store().read(tr -> new Begun(tenant, of, existence(tr, tenant)));
  }

  /**
   * Identifies a tenant among those that have had its name. A tenant that was deleted and made
   * again, or restored, or into which something was imported meanwhile, is another one.
   */
  private record Existence(int era, long createdAt) {}

  private Existence existence(ReadTransaction tr, String tenant) {
    return new Existence(context.log().era(tr, tenant), tenants.need(tr, tenant).getCreatedAt());
  }

  /** An export that has begun, of one tenant as it was then. */
  final class Begun {
    private final String tenant;
    private final List<String> of;
    private final Existence existence;

    private Begun(String tenant, List<String> of, Existence existence) {
      this.tenant = tenant;
      this.of = List.copyOf(of);
      this.existence = existence;
    }

    /** Checks that the tenant is the one of the beginning; {@code conflict} if it is not. */
    void needSame() {
      context
          .store()
          .read(
              tr -> {
                needSame(tr);
                return true;
              });
    }

    private void needSame(ReadTransaction tr) {
      if (!existence(tr, tenant).equals(existence)) {
        throw ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT,
            "The tenant "
                + tenant
                + " was deleted or imported into during the export, so the file is not whole:"
                + " export it again.");
      }
    }

    /** Returns the points at which the export resumes, while its tenant is the same one. */
    ResumePoints points() {
      List<String> exported = new ArrayList<>(of);
      exported.add(tenant);
      exported.add(Integer.toString(existence.era()));
      exported.add(Long.toString(existence.createdAt()));
      return new ResumePoints(resumes, exported);
    }

    /**
     * Ends the export, and signs the blocks of its file. What nobody vouched for when it was
     * imported does not become true by being exported, so of a tenant with such an import nothing
     * is signed.
     *
     * @param blocks their hash; empty if this has not sent all of them
     * @return the statement with its signature; empty if this server can't sign, or the tenant has
     *     an unverified import
     * @throws ProtocolException {@code conflict} if the tenant is not the one of the beginning, so
     *     that the file has parts of two, or of what has been deleted
     */
    Optional<ObjectNode> end(Optional<Sha256> blocks) {
      long now = context.clock().millis();
      return context
          .store()
          .read(
              tr -> {
                needSame(tr);
                return blocks
                    .filter(all -> !Unverified.isIn(tr, imports, tenant))
                    .flatMap(
                        all ->
                            keys.stated(
                                tr,
                                now,
                                at -> new FileStatement(installation, tenant, all, at).toJson()));
              });
    }
  }
}
