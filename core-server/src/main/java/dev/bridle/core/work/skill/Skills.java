package dev.bridle.core.work.skill;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.skill.v1.Skill;

/** What a skill is to the core. */
public final class Skills {
  /** The definition of skills. */
  public static final RecordDef<Skill> SKILL =
      RecordDef.of(14, "skill", Skill.parser())
          .id(Skill::getId)
          .listed()
          .withStream()
          .exported(export -> export.inPhase("SKILLS").takenAlong())
          .build();

  private Skills() {}
}
