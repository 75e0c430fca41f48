package dev.bridle.core.server;

import dev.bridle.core.api.memory.MemoryRules;
import dev.bridle.core.api.persona.PersonaRules;
import dev.bridle.core.integrations.notice.DeviceNotices;
import dev.bridle.core.integrations.relay.LostDevices;
import dev.bridle.core.integrations.repo.HarpRepos;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.policy.ApprovalRoles;
import dev.bridle.core.work.policy.ApprovalRules;
import dev.bridle.core.work.quota.QuotaRules;
import dev.bridle.core.work.skill.Skills;
import dev.bridle.core.work.vault.VaultRules;
import dev.bridle.permission.v1.ApprovalDevice;
import java.util.ArrayList;
import java.util.List;

/** The resources that are served from their definitions alone: a new one is added here. */
interface CoreResources {

  /** Returns the definitions over a core's context. */
  List<ResourceDef<?, ?>> in(CoreContext context);

  /** Returns those of this release. */
  static List<ResourceDef<?, ?>> standard(CoreContext context) {
    return List.of(
        PersonaRules.resource(context),
        Skills.RESOURCE,
        QuotaRules.resource(context),
        VaultRules.resource(context),
        ApprovalRoles.resource(context),
        ApprovalRules.resource(context),
        ApprovalDevices.resource(context, new LostDevices(context), new DeviceNotices(context)),
        HarpRepos.resource(context),
        MemoryRules.resource(context));
  }

  /** Returns the definition of the devices of approvers. */
  static ResourceDef<ApprovalDevice, ApprovalDevice> approvalDevices(CoreContext context) {
    return ApprovalDevices.resource(context, new LostDevices(context), new DeviceNotices(context));
  }

  /** Returns the catalog of a core that serves some resources. */
  static Catalog catalog(List<ResourceDef<?, ?>> resources) {
    List<RecordDef<?>> more = new ArrayList<>();
    for (ResourceDef<?, ?> resource : resources) {
      if (!CoreRecords.CATALOG.all().contains(resource.record())) {
        more.add(resource.record());
      }
    }
    return CoreRecords.CATALOG.with(more);
  }
}
