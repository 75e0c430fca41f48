/** Permission requests of agents, answers of approvers, and standing grants. */
package dev.bridle.core.work.permission;
