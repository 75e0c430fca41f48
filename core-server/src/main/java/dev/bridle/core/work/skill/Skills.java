package dev.bridle.core.work.skill;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.skill.v1.Skill;
import dev.bridle.skill.v1.SkillServiceGrpc;

/** Storage and resource definition of skills (protocol section "Skill"). */
public final class Skills {
  /** The definition of skill records. */
  public static final RecordDef<Skill> SKILL =
      RecordDef.of(14, "skill", Skill.parser())
          .id(Skill::getId)
          .listed()
          .withStream()
          .exported(export -> export.inPhase("SKILLS").takenAlong())
          .build();

  /** The definition of the resource. */
  public static final ResourceDef<Skill, Skill> RESOURCE =
      ResourceDef.of(
          SKILL,
          SkillServiceGrpc.getServiceDescriptor(),
          Skill.getDefaultInstance(),
          new SkillRules());

  private Skills() {}
}
