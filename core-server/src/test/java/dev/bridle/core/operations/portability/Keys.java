package dev.bridle.core.operations.portability;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import io.grpc.Channel;

/** Makes keys as an operator does. */
final class Keys {
  private Keys() {}

  static String make(Channel operator, String tenant) {
    return AdminServiceGrpc.newBlockingStub(operator)
        .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(tenant).build())
        .getSecret();
  }
}
