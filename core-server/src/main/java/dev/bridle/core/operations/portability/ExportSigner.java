package dev.bridle.core.operations.portability;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.statement.FileStatement;
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
   * Returns the points at which the export of something resumes. A tenant that was deleted and made
   * again, or restored, is another one, whose file does not go on.
   *
   * @param tenant the tenant
   * @param of the session and task, or empty
   */
  ResumePoints points(String tenant, List<String> of) {
    List<String> exported = new ArrayList<>(of);
    exported.add(tenant);
    context
        .store()
        .read(
            tr -> {
              exported.add(Integer.toString(context.log().era(tr, tenant)));
              return exported.add(Long.toString(tenants.need(tr, tenant).getCreatedAt()));
            });
    return new ResumePoints(resumes, exported);
  }

  /**
   * Signs the blocks of a file. What nobody vouched for when it was imported does not become true
   * by being exported, so of a tenant with such an import nothing is signed.
   *
   * @return the statement with its signature; empty if this server can't sign, or the tenant has an
   *     unverified import
   */
  Optional<ObjectNode> sign(String tenant, Sha256 blocks) {
    long now = context.clock().millis();
    return context
        .store()
        .read(
            tr ->
                Unverified.isIn(tr, imports, tenant)
                    ? Optional.empty()
                    : keys.stated(
                        tr,
                        now,
                        at -> new FileStatement(installation, tenant, blocks, at).toJson()));
  }
}
