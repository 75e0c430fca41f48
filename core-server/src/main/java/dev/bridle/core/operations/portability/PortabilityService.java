package dev.bridle.core.operations.portability;

import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ExportResponse;
import dev.bridle.admin.v1.ImportRequest;
import dev.bridle.admin.v1.ImportResponse;
import dev.bridle.admin.v1.PortabilityServiceGrpc;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.dispatch.ParkedTasks;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.RecordRows.Row;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;

/** Serves exports and imports, for operators. */
public final class PortabilityService extends PortabilityServiceGrpc.PortabilityServiceImplBase {
  private final CoreContext context;
  private final TransferStores stores;
  private final ExportSigner signer;
  private final Tenants tenants;
  private final ParkedTasks parked;

  /**
   * Creates the service.
   *
   * @param catalog the kinds of records
   * @param signer signs exports, which contain its installation's id
   * @param parked takes over the tasks of imports
   */
  public PortabilityService(
      CoreContext context,
      Catalog catalog,
      ExportSigner signer,
      Tenants tenants,
      ParkedTasks parked) {
    this.context = context;
    this.stores =
        TransferStores.in(
            context.store(), context.layout(), catalog, context.installation(), context.log());
    this.signer = signer;
    this.tenants = tenants;
    this.parked = parked;
  }

  @Override
  public void export(ExportRequest request, StreamObserver<ExportResponse> response) {
    ServerCallStreamObserver<ExportResponse> call =
        (ServerCallStreamObserver<ExportResponse>) response;
    String tenant = request.getTenantId().isEmpty() ? Tenants.DEFAULT : request.getTenantId();
    stores.store().read(tr -> tenants.need(tr, tenant));
    ExportSigner.Begun begun =
        signer.begin(tenant, List.of(request.getSessionId(), request.getTaskId()));
    call.setOnReadyHandler(new ExportCall(run(request, tenant, begun), begun, call)::pump);
  }

  private ExportRun run(ExportRequest request, String tenant, ExportSigner.Begun begun) {
    boolean resumed = !request.getResumeAfter().isEmpty();
    ExportRun run = begun(request, begun.points(), resumed);
    Exporter exporter = new Exporter(stores, signer.installation(), context.clock(), tenant, run);
    if (!request.getTaskId().isEmpty()) {
      task(exporter, request, resumed);
    } else if (!request.getSessionId().isEmpty()) {
      session(exporter, request, resumed);
    } else {
      TenantExport export = new TenantExport(stores, tenant, exporter);
      if (resumed) {
        export.after(request.getResumeAfter());
      } else {
        exporter.header(Optional.empty(), Optional.empty());
        export.all();
      }
    }
    return run;
  }

  private ExportRun begun(ExportRequest request, ResumePoints points, boolean resumed) {
    if (!resumed) {
      return ExportRun.begin(points);
    }
    needSameInstallation(request.getResumeInstallationId());
    return ExportRun.resume(
        points, points.after(request.getResumeUnit(), request.getResumeAfter()));
  }

  private void needSameInstallation(String begunAt) {
    String installation = signer.installation();
    if (!begunAt.isEmpty() && !begunAt.equals(installation)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The export was begun on the installation "
                  + begunAt
                  + ", and this is "
                  + installation
                  + ": continue there, or start another file.")
          .blaming("resume_installation_id");
    }
  }

  private void task(Exporter exporter, ExportRequest request, boolean resumed) {
    String id = request.getTaskId();
    TaskRecord task =
        stores
            .read(exporter.tenant(), TaskStore.TASK, id)
            .map(bytes -> TransferStores.parse(TaskRecord.parser(), bytes))
            .orElseThrow(() -> ProtocolException.notFound("task", id).blaming("task_id"));
    if (!resumed) {
      exporter.header(Optional.of(task.getTask().getSessionId()), Optional.of(id));
      exporter.task(task);
    }
  }

  private void session(Exporter exporter, ExportRequest request, boolean resumed) {
    String id = request.getSessionId();
    if (stores.read(exporter.tenant(), SessionStore.SESSION, id).isEmpty()) {
      throw ProtocolException.notFound("session", id).blaming("session_id");
    }
    if (!resumed) {
      Row row = exporter.context().row(SessionStore.SESSION, RecordDef.ALL, "", id);
      exporter.header(Optional.of(id), Optional.empty());
      exporter.oneSession(row);
    }
  }

  @Override
  public StreamObserver<ImportRequest> import_(StreamObserver<ImportResponse> response) {
    ServerCallStreamObserver<ImportResponse> call =
        (ServerCallStreamObserver<ImportResponse>) response;
    call.disableAutoRequest();
    call.request(1);
    return new ImportCall(
        (options, file) ->
            new ImportRun(context, stores, signer.installation(), tenants, parked, options, file),
        call);
  }
}
