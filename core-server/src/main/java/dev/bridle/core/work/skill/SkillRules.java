package dev.bridle.core.work.skill;

import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.resource.TenantSharedRules;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.skill.v1.Skill;
import dev.bridle.skill.v1.UpdateSkillRequest;
import java.util.Optional;

/**
 * The rules of skills. Lists leave out their bodies, and so do events, which have the hash of the
 * body instead: a body may be as long as hundreds of other members.
 */
final class SkillRules extends TenantSharedRules<Skill> {
  private static final String BODY = "body";
  private static final String BODY_HASH = "body_hash";

  @Override
  public Skill listed(Skill shown) {
    return shown.toBuilder().clearBody().build();
  }

  @Override
  public Payload created(Skill skill) {
    Payload facts = Members.createdFacts(skill.toBuilder().clearBody().build());
    return hash(skill).map(hash -> facts.text(BODY_HASH, hash)).orElse(facts);
  }

  @Override
  public Payload updatedFacts(
      Write write, Skill before, Message request, Members.Change<Skill> change) {
    FieldMask.Builder others = FieldMask.newBuilder();
    ((UpdateSkillRequest) request)
        .getUpdateMask().getPathsList().stream()
            .filter(path -> !path.equals(BODY))
            .forEach(others::addPaths);
    Payload facts =
        Members.applyMask(write, before, request, others.build())
            .map(Members.Change::changedFields)
            .orElseGet(Payload::of);
    Skill after = change.resource();
    boolean sameBody =
        before.hasBody() == after.hasBody() && before.getBody().equals(after.getBody());
    return sameBody ? facts : facts.anyText(BODY_HASH, hash(after));
  }

  private static Optional<String> hash(Skill skill) {
    return skill.hasBody()
        ? Optional.of(Sha256.of(skill.getBodyBytes().toByteArray()).toString())
        : Optional.empty();
  }
}
