package dev.bridle.core.integrations.notice;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.permission.v1.ApprovalDeviceTest;
import dev.bridle.permission.v1.ApprovalDeviceTestServiceGrpc;
import dev.bridle.permission.v1.GetApprovalDeviceTestRequest;
import dev.bridle.permission.v1.TestApprovalDeviceRequest;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;

/** Tests the way to approval devices. */
public final class DeviceTestService
    extends ApprovalDeviceTestServiceGrpc.ApprovalDeviceTestServiceImplBase {
  private final CoreContext context;
  private final DeviceNotices notices;

  /** Creates the service. */
  public DeviceTestService(CoreContext context) {
    this.context = context;
    this.notices = new DeviceNotices(context);
  }

  @Override
  public void testApprovalDevice(
      TestApprovalDeviceRequest request, StreamObserver<ApprovalDeviceTest> response) {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    String id = request.getApprovalDeviceId();
    ApprovalDeviceTest sent =
        context
            .commands()
            .run(
                request,
                id,
                write -> {
                  var unused = need(write.tr(), write.tenant(), id);
                  return "";
                },
                write -> {
                  ApprovalDevice device = need(write.tr(), write.tenant(), id);
                  notices.test(write, device);
                  return notices.shown(write.tr(), write.tenant(), device, write.nowMillis());
                },
                ApprovalDeviceTest.getDefaultInstance());
    Replies.send(response, sent);
  }

  @Override
  public void getApprovalDeviceTest(
      GetApprovalDeviceTestRequest request, StreamObserver<ApprovalDeviceTest> response) {
    Caller caller = Caller.current();
    long now = context.clock().millis();
    Replies.send(
        response,
        context
            .store()
            .read(
                tr ->
                    notices.shown(
                        tr,
                        caller.tenant(),
                        need(tr, caller.tenant(), request.getApprovalDeviceId()),
                        now)));
  }

  private ApprovalDevice need(ReadTransaction tr, String tenant, String id) {
    return ApprovalDevices.find(Configurations.unremembered(context.layout(), tr, tenant), id)
        .orElseThrow(() -> ProtocolException.notFound("approval_device", id));
  }
}
