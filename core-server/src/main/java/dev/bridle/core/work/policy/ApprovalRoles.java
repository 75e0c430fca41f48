package dev.bridle.core.work.policy;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantSharedRules;
import dev.bridle.permission.v1.ApprovalRole;
import dev.bridle.permission.v1.ApprovalRoleServiceGrpc;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;

/** The roles of approvers, which approval rules name. */
public final class ApprovalRoles extends TenantSharedRules<ApprovalRole> {
  /** The definition of role records. */
  public static final RecordDef<ApprovalRole> APPROVAL_ROLE =
      RecordDef.of(119, "approval_role", ApprovalRole.parser())
          .id(ApprovalRole::getId)
          .listed()
          .configuration()
          .withStream()
          .exported(export -> export.inPhase("APPROVAL_ROLES").takenAlong())
          .build();

  static final int MOST = 100;

  private final KeyLayout layout;

  private ApprovalRoles(KeyLayout layout) {
    this.layout = layout;
  }

  /** Returns the definition of the resource. */
  public static ResourceDef<ApprovalRole, ApprovalRole> resource(CoreContext context) {
    return ResourceDef.of(
        APPROVAL_ROLE,
        ApprovalRoleServiceGrpc.getServiceDescriptor(),
        ApprovalRole.getDefaultInstance(),
        new ApprovalRoles(context.layout()));
  }

  /** Returns all roles of a tenant, oldest first. */
  static List<ApprovalRole> in(Configuration configuration) {
    return configuration.listed(APPROVAL_ROLE, RecordDef.ALL, MOST);
  }

  @Override
  public ApprovalRole create(Write write, Caller caller, Message request, ApprovalRole role) {
    List<ApprovalRole> others = in(Configurations.unremembered(layout, write.tr(), write.tenant()));
    PolicyNames.needNew(
        APPROVAL_ROLE, others.stream().map(ApprovalRole::getName).toList(), role.getName(), MOST);
    return role;
  }
}
