/** The repositories that prompts and sessions of HARP name, each mapped to a workspace. */
package dev.bridle.core.integrations.repo;
