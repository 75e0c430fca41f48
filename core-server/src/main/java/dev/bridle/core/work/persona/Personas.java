package dev.bridle.core.work.persona;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.persona.v1.Persona;

/** Storage of personas. */
public final class Personas {
  /** The definition of persona records. */
  public static final RecordDef<Persona> PERSONA =
      RecordDef.of(13, "persona", Persona.parser())
          .id(Persona::getId)
          .listed()
          .configuration()
          .refersTo("quota", Persona::getQuotaId)
          .withStream()
          .exported(export -> export.inPhase("PERSONAS").takenAlong())
          .build();

  private Personas() {}
}
