package dev.bridle.core.kernel.resource;

import com.google.protobuf.ByteString;
import dev.bridle.memory.v1.CreateMemoryRequest;
import dev.bridle.memory.v1.MemoryContent;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.skill.v1.CreateSkillRequest;
import dev.bridle.skill.v1.SkillServiceGrpc;
import io.grpc.Channel;

/**
 * A persona with its quota and a memory, and a skill.
 *
 * @param quota the quota's id
 * @param persona the persona's id
 * @param skill the skill's id
 * @param memory the id of a memory of the persona
 */
public record SharedResources(String quota, String persona, String skill, String memory) {

  /** Makes them. */
  public static SharedResources in(Channel owner) {
    String quota =
        QuotaServiceGrpc.newBlockingStub(owner)
            .createQuota(quota(QuotaScope.QUOTA_SCOPE_PERSONA).build())
            .getId();
    String persona =
        PersonaServiceGrpc.newBlockingStub(owner)
            .createPersona(aPersona().setQuotaId(quota).build())
            .getId();
    String skill =
        SkillServiceGrpc.newBlockingStub(owner)
            .createSkill(
                CreateSkillRequest.newBuilder()
                    .setName("count_words")
                    .setDescription("Counts words.")
                    .setInputSchema(ByteString.copyFromUtf8("{\"type\":\"object\"}"))
                    .setBody("Split at blanks, and count. ".repeat(5_000))
                    .setManifest(ByteString.copyFromUtf8("{\"when_to_use\":\"to count\"}"))
                    .build())
            .getId();
    String memory =
        MemoryServiceGrpc.newBlockingStub(owner)
            .createMemory(memory(MemoryScope.MEMORY_SCOPE_PERSONA, persona))
            .getId();
    return new SharedResources(quota, persona, skill, memory);
  }

  /** Describes a memory. */
  public static CreateMemoryRequest memory(MemoryScope scope, String owner) {
    return CreateMemoryRequest.newBuilder()
        .setScope(scope)
        .setOwnerId(owner)
        .setContent(MemoryContent.newBuilder().setText("Reviews end on Friday."))
        .setProvenance(ByteString.copyFromUtf8("{\"actor\":\"ada\"}"))
        .build();
  }

  /** Describes a quota. */
  public static CreateQuotaRequest.Builder quota(QuotaScope scope) {
    return CreateQuotaRequest.newBuilder().setScope(scope).putLimits("tasks", 100);
  }

  /** Describes a persona. */
  public static CreatePersonaRequest.Builder aPersona() {
    return CreatePersonaRequest.newBuilder()
        .setName("Reviewer")
        .setVersion("1.0.0")
        .setEntryWorkflow("review.harn")
        .setDescription("Reviews changes.")
        .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL)
        .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL);
  }
}
