package dev.bridle.core.integrations.prompt;

import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.session.v1.Session;

/**
 * Where a prompt goes.
 *
 * @param repo the mapping that leads there
 * @param session the session
 */
record PromptTarget(HarpRepo repo, Session session) {}
