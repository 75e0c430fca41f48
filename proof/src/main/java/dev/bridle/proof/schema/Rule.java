package dev.bridle.proof.schema;

import com.fasterxml.jackson.databind.JsonNode;

/** One keyword of a schema, or all keywords of one schema object. */
@FunctionalInterface
interface Rule {
  /** Returns whether a value meets the rule; where it does not, the trail has the fault. */
  boolean meets(JsonNode value, Trail trail);
}
