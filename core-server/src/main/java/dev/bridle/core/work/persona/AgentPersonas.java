package dev.bridle.core.work.persona;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.ReceiptPolicy;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.storage.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Opens the personas of agents that people run in their folders: each agent has one. */
public final class AgentPersonas {
  private static final String ID_PREFIX = "persona_agent_";
  private static final int ID_BYTES = 13;
  private static final int MOST_NAME = 200;

  private final KeyValueStore store;
  private final Commands commands;
  private final TenantRecords<Persona> personas;
  private final Events events;

  public AgentPersonas(CoreContext context) {
    this.store = context.store();
    this.commands = context.commands();
    this.personas = new TenantRecords<>(context.layout(), Personas.PERSONA);
    this.events = context.events();
  }

  /**
   * Returns the id of an agent's persona, and creates it if there is none.
   *
   * @param agent what identifies the agent
   */
  public String open(String tenant, String actor, String agent) {
    String id = idOf(agent);
    if (store.read(tr -> personas.records().get(tr, tenant, id)).isEmpty()) {
      var unused = commands.once(tenant, actor, write -> create(write, id, agent));
    }
    return id;
  }

  private String create(Write write, String id, String agent) {
    if (personas.records().get(write.tr(), write.tenant(), id).isEmpty()) {
      Timestamp now = Timestamps.fromMillis(write.nowMillis());
      Persona made =
          Persona.newBuilder()
              .setId(id)
              .setCreatedAt(now)
              .setUpdatedAt(now)
              .setMetadata(ByteString.copyFromUtf8("{}"))
              .setName(agent.length() > MOST_NAME ? agent.substring(0, MOST_NAME) : agent)
              .setVersion("1")
              .setEntryWorkflow("bridle run")
              .setDescription("An agent that people run in folders of this machine.")
              .setAutonomyTier(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL)
              .setReceiptPolicy(ReceiptPolicy.RECEIPT_POLICY_OPTIONAL)
              .build();
      personas.insert(write, made);
      events.ofTenant(
          write, "persona", id, EventDraft.of("persona.created", Members.createdFacts(made)));
    }
    return id;
  }

  private static String idOf(String agent) {
    byte[] hash = Sha256.of(agent.getBytes(StandardCharsets.UTF_8)).bytes();
    return ID_PREFIX + HexFormat.of().formatHex(hash, 0, ID_BYTES);
  }
}
